package io.baton.etcd;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Hold;
import io.baton.HoldState;
import io.baton.QueueEntry;
import io.baton.SessionState;
import io.baton.testkit.etcd.EtcdExtension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A server that is killed, and comes back with its data. */
@Tag("etcd")
@Timeout(120)
class ServerRestartIT {

    private static final int WAITERS = 5;

    @RegisterExtension
    static final EtcdExtension etcd = EtcdExtension.newest();

    @Test
    void restart_withinTheSession_holderHoldsAndWaitersKeepTheirPlaces() throws Exception {
        CoordinatorOptions patient =
                CoordinatorOptions.builder().ttl(Duration.ofSeconds(40)).build();
        try (Coordinator one = Coordinator.connect(etcd.uri(), patient);
                Coordinator other = Coordinator.connect(etcd.uri(), patient)) {
            Hold hold = one.lock("orders").acquire();
            List<CompletableFuture<Hold>> waiters = new ArrayList<>();
            for (int i = 1; i <= WAITERS; i++) {
                int place = i;
                waiters.add((i % 2 == 0 ? one : other).lock("orders").acquireAsync());
                await().until(() -> one.lock("orders").queue().size() == place + 1);
            }
            List<Long> before = tokens(one);

            etcd.server().kill();
            await().until(() -> one.state() == SessionState.SUSPENDED && other.state() == SessionState.SUSPENDED);
            assertThat(hold.state()).isEqualTo(HoldState.JEOPARDY);
            etcd.server().restart();
            await().atMost(30, SECONDS)
                    .until(() -> one.state() == SessionState.CONNECTED && other.state() == SessionState.CONNECTED);

            await().atMost(30, SECONDS).until(() -> hold.state() == HoldState.HELD);
            assertThat(tokens(one)).isEqualTo(before);
            long last = hold.token();
            hold.close();
            for (CompletableFuture<Hold> waiter : waiters) {
                try (Hold granted = waiter.get(30, SECONDS)) {
                    assertThat(granted.token()).isGreaterThan(last);
                    last = granted.token();
                }
            }
            assertThat(tokens(one)).isEmpty();
        }
    }

    private static List<Long> tokens(Coordinator baton) throws InterruptedException {
        return baton.lock("orders").queue().stream().map(QueueEntry::token).toList();
    }
}
