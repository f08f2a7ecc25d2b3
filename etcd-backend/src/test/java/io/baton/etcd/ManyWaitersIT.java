package io.baton.etcd;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Hold;
import io.baton.testkit.LongRun;
import io.baton.testkit.etcd.EtcdExtension;
import io.baton.testkit.proxy.TcpProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** One coordinator with thousands of waiters in one lock, and a hold of another lock beside them. */
@Tag("etcd")
@Timeout(240)
class ManyWaitersIT {

    private static final int WAITERS = LongRun.rounds(700, 2_000);

    @RegisterExtension
    static final EtcdExtension etcd = EtcdExtension.newest();

    @Test
    void acquireAsync_manyWaitersAndOneBreak_allAreGrantedInOrderAndTheHoldBesideStaysHeld() throws Exception {
        CoordinatorOptions options =
                CoordinatorOptions.builder().maxWaiting(2 * WAITERS).build();
        Duration ttl = options.ttl();
        try (TcpProxy proxy = TcpProxy.to(etcd.server().address());
                Coordinator baton = Coordinator.connect(etcd.server().uri(proxy, "app"), options);
                Hold beside = baton.lock("beside").acquire()) {
            Hold first = baton.lock("crowded").acquire();
            AtomicLong least = new AtomicLong(Long.MAX_VALUE);
            List<Long> tokens = new CopyOnWriteArrayList<>();
            List<CompletableFuture<Void>> passed = new ArrayList<>();
            for (int i = 0; i < WAITERS; i++) {
                passed.add(baton.lock("crowded").acquireAsync().thenCompose(hold -> {
                    tokens.add(hold.token());
                    return hold.releaseAsync();
                }));
            }

            await().atMost(60, SECONDS)
                    .until(() ->
                            seen(beside, least, baton.lock("crowded").queue().size() > WAITERS));
            proxy.cut();
            await().atMost(20, SECONDS)
                    .until(() -> seen(beside, least, proxy.traffic().open() > 0));
            first.close();
            await().atMost(120, SECONDS)
                    .pollInterval(Duration.ofMillis(20))
                    .until(() -> seen(beside, least, passed.stream().allMatch(CompletableFuture::isDone)));

            assertThat(passed).allSatisfy(one -> assertThat(one).isCompleted());
            assertThat(tokens).hasSize(WAITERS).isSorted();
            assertThat(Duration.ofNanos(least.get())).isGreaterThan(ttl.dividedBy(2));
            beside.ensureValid(ttl.dividedBy(2));
        }
    }

    private static boolean seen(Hold beside, AtomicLong least, boolean done) {
        least.accumulateAndGet(beside.remaining().toNanos(), Math::min);
        return done;
    }
}
