package io.baton.zookeeper;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.HoldState;
import io.baton.Op;
import io.baton.RecordKey;
import io.baton.recipe.RecipeContext;
import io.baton.testkit.proxy.TcpProxy;
import io.baton.testkit.zookeeper.ZooKeeperExtension;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** More writes or reads at once than the network carries within a ttl: a hold beside them is not lost. */
@Timeout(180)
class BurstIT {

    /** The proxy keeps 1 MiB in each direction, so it carries less than 4 MiB a second. */
    private static final Duration EACH_WAY = Duration.ofMillis(250);

    private static final int MANY = 2_000;
    private static final int BYTES = 40_000;

    @RegisterExtension
    static final ZooKeeperExtension zookeeper = new ZooKeeperExtension();

    @Test
    void transact_moreThanTheNetworkCarries_aHoldBesideLives() throws Exception {
        burst(baton -> n -> baton.transactAsync(List.of(), List.of(Op.put(key(n % 10), new byte[BYTES]))));
    }

    @Test
    void get_moreThanTheNetworkCarries_aHoldBesideLives() throws Exception {
        try (Coordinator baton = Coordinator.connect(zookeeper.uri())) {
            assertThat(baton.transact(List.of(), List.of(Op.put(key(0), new byte[BYTES]))))
                    .isTrue();
        }
        burst(baton -> n -> RecipeContext.of(baton, "tests").records().read(key(0)));
    }

    private static void burst(Function<Coordinator, IntFunction<CompletableFuture<?>>> requests) throws Exception {
        try (TcpProxy proxy = TcpProxy.to(zookeeper.server().address());
                Coordinator baton = Coordinator.connect(zookeeper.server().uri(proxy, zookeeper.chroot()));
                QuietHold quiet = new QuietHold(baton)) {
            proxy.delay(EACH_WAY);
            List<CompletableFuture<?>> all = IntStream.range(0, MANY)
                    .<CompletableFuture<?>>mapToObj(requests.apply(baton))
                    .toList();

            for (CompletableFuture<?> each : all) {
                each.handle((answer, failed) -> answer).get(120, SECONDS);
            }
            proxy.delay(Duration.ZERO);

            assertThat(quiet.worst()).isEqualTo(HoldState.HELD);
            assertThat(quiet.least())
                    .isGreaterThan(CoordinatorOptions.defaults().ttl().dividedBy(4));
        }
    }

    private static RecordKey key(int number) {
        return new RecordKey("burst", "r" + number);
    }
}
