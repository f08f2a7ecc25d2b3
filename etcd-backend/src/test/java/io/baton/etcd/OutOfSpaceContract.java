package io.baton.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Hold;
import io.baton.HoldState;
import io.baton.StoreUnavailableException;
import io.baton.testkit.etcd.LocalEtcd;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server that is out of space grants no lease, and renews those there are. */
@Tag("etcd")
@Timeout(120)
abstract class OutOfSpaceContract {

    private static final Duration TTL = Duration.ofSeconds(12);
    private static final String VALUE = "v".repeat(100_000);

    private final LocalEtcd.Builder builder;

    OutOfSpaceContract(LocalEtcd.Builder builder) {
        this.builder = builder;
    }

    /** Its session wants a lease that the new leader has made, and does not get one. */
    @Test
    void hold_noSpaceAndAnotherLeader_goesOn() throws Exception {
        try (LocalEtcd etcd = builder.flag("--quota-backend-bytes", "2000000").start();
                Coordinator baton = Coordinator.connect(
                        etcd.uri("app"), CoordinatorOptions.builder().ttl(TTL).build());
                Hold hold = baton.lock("orders").acquire()) {
            fill(etcd);
            etcd.restart();
            assertThatThrownBy(() -> baton.lock("bills").tryAcquire())
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("space");

            // A caller that waits without a limit would wait for an operator.
            assertThatThrownBy(() -> baton.lock("bills").acquire())
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("space");

            // What is lost stays lost.
            long since = System.nanoTime();
            await().atMost(TTL.multipliedBy(6))
                    .until(() -> System.nanoTime() - since > TTL.toNanos() * 5 / 4 && hold.state() == HoldState.HELD);
        }
    }

    private static void fill(LocalEtcd etcd) {
        for (int i = 0; i < 100; i++) {
            try {
                etcd.ctl().run("put", "filler-" + i, VALUE);
            } catch (IllegalStateException full) {
                assertThat(full).hasMessageContaining("space exceeded");
                return;
            }
        }
        throw new AssertionError("never full");
    }
}
