package io.baton.zookeeper;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.HoldState;
import io.baton.Item;
import io.baton.Op;
import io.baton.RecordKey;
import io.baton.Subscription;
import io.baton.recipe.RecipeContext;
import io.baton.testkit.zookeeper.ZooKeeperExtension;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A tree of records whose listing does not fit into an answer: this is reported, and a hold beside it lives on. */
@Tag("long")
@Timeout(180)
class LongTreeIT {

    private static final String TREE = "long";
    private static final String NAME = "n".repeat(1_000);
    private static final int TOO_MANY = 1_100;
    private static final int BATCH = 50;
    private static final Duration TTL = CoordinatorOptions.defaults().ttl();

    @RegisterExtension
    static final ZooKeeperExtension zookeeper = new ZooKeeperExtension();

    @Test
    void follow_tooLong_isReportedAndAHoldBesideItIsNotLostAndFollowsOnceItFits() throws Exception {
        try (Coordinator writer = Coordinator.connect(zookeeper.uri());
                Coordinator baton = Coordinator.connect(zookeeper.uri());
                QuietHold quiet = new QuietHold(baton)) {
            write(writer, true);
            var value = new CompletableFuture<Optional<Item>>();
            try (Subscription following = observe(baton, value)) {
                await().atMost(60, SECONDS).until(() -> !baton.trouble().isEmpty());
                assertThat(baton.trouble().get(0).what()).contains(TREE);
                assertThat(baton.trouble().get(0).why()).contains(TOO_MANY + " names", "jute.maxbuffer");
                await().during(TTL)
                        .atMost(TTL.multipliedBy(2))
                        .until(() -> quiet.worst().compareTo(HoldState.LOST) < 0);

                write(writer, false);
                assertThat(value.get(60, SECONDS)).isPresent();
                await().atMost(30, SECONDS).until(() -> baton.trouble().isEmpty());
                assertThat(following).isNotNull();
            }
        }
    }

    private static Subscription observe(Coordinator baton, CompletableFuture<Optional<Item>> value) {
        return RecipeContext.of(baton, "tests").records().observe(key(0), value::complete);
    }

    /** Writes the records, or removes all but the first ones. */
    private static void write(Coordinator writer, boolean put) throws InterruptedException {
        for (int i = put ? 0 : BATCH; i < TOO_MANY; i += BATCH) {
            List<Op> batch = IntStream.range(i, i + BATCH)
                    .mapToObj(n -> put ? Op.put(key(n), "x") : Op.delete(key(n)))
                    .toList();
            assertThat(writer.transact(List.of(), batch)).isTrue();
        }
    }

    private static RecordKey key(int number) {
        return new RecordKey(TREE, NAME + number);
    }
}
