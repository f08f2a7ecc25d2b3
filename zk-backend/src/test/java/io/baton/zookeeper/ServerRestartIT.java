package io.baton.zookeeper;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Hold;
import io.baton.HoldState;
import io.baton.QueueEntry;
import io.baton.SessionState;
import io.baton.testkit.zookeeper.ZooKeeperEnsemble;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ServerRestartIT {

    private static final int WAITERS = 5;

    @Test
    void allServersKilledAndRestarted_withinTheSession_holderHoldsAndWaitersKeepTheirPlaces() throws Exception {
        CoordinatorOptions patient =
                CoordinatorOptions.builder().ttl(Duration.ofSeconds(40)).build();
        try (ZooKeeperEnsemble ensemble = ZooKeeperEnsemble.start();
                Coordinator one = Coordinator.connect(ensemble.uri("app"), patient);
                Coordinator other = Coordinator.connect(ensemble.uri("app"), patient)) {
            Hold hold = one.lock("orders").acquire();
            List<CompletableFuture<Hold>> waiters = new ArrayList<>();
            for (int i = 1; i <= WAITERS; i++) {
                int place = i;
                waiters.add((i % 2 == 0 ? one : other).lock("orders").acquireAsync());
                await().until(() -> one.lock("orders").queue().size() == place + 1);
            }
            List<Long> before = tokens(one);

            for (int server : ensemble.servers()) {
                ensemble.kill(server);
            }
            await().until(() -> one.state() == SessionState.SUSPENDED && other.state() == SessionState.SUSPENDED);
            assertThat(hold.state()).isEqualTo(HoldState.JEOPARDY);
            ensemble.servers().forEach(ensemble::restart);
            ensemble.awaitServing();
            await().atMost(30, SECONDS)
                    .until(() -> one.state() == SessionState.CONNECTED && other.state() == SessionState.CONNECTED);

            assertThat(hold.state()).isEqualTo(HoldState.HELD);
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
