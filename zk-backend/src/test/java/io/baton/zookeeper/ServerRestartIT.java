package io.baton.zookeeper;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Hold;
import io.baton.HoldState;
import io.baton.MultiHold;
import io.baton.PermitHold;
import io.baton.QueueEntry;
import io.baton.SessionState;
import io.baton.testkit.zookeeper.LocalZooKeeper;
import io.baton.testkit.zookeeper.ZooKeeperEnsemble;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerRestartIT {

    private static final int WAITERS = 5;

    @Test
    @Tag("long")
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
            MultiHold several = one.multiLock(List.of("a", "b")).acquire();
            CompletableFuture<MultiHold> severalNext =
                    other.multiLock(List.of("b", "c")).acquireAsync();
            PermitHold permits = one.semaphore("lines", 3).acquire(2);
            CompletableFuture<PermitHold> permitsNext =
                    other.semaphore("lines", 3).acquireAsync(2);
            await().until(() -> one.lock("b").queue().size() == 2
                    && one.semaphore("lines", 3).view().waiting().size() == 1);

            for (int server : ensemble.servers()) {
                ensemble.kill(server);
            }
            await().until(() -> one.state() == SessionState.SUSPENDED && other.state() == SessionState.SUSPENDED);
            assertThat(List.of(hold.state(), several.state(), permits.state())).containsOnly(HoldState.JEOPARDY);
            ensemble.servers().forEach(ensemble::restart);
            ensemble.awaitServing();
            await().atMost(30, SECONDS)
                    .until(() -> one.state() == SessionState.CONNECTED && other.state() == SessionState.CONNECTED);

            assertThat(List.of(hold.state(), several.state(), permits.state())).containsOnly(HoldState.HELD);
            assertThat(severalNext).isNotDone();
            assertThat(permitsNext).isNotDone();
            several.close();
            permits.close();
            severalNext.get(30, SECONDS).close();
            permitsNext.get(30, SECONDS).close();
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

    /** Its transactions are older than those that the clients have seen. */
    @Test
    void server_replacedByAnEmptyOne_holdersStopAndOneOfTheOthersHoldsThere(@TempDir Path folder) throws Exception {
        CoordinatorOptions options = CoordinatorOptions.builder()
                .ttl(Duration.ofSeconds(4))
                .rejoin(true)
                .build();
        LocalZooKeeper server =
                LocalZooKeeper.builder().data(folder.resolve("first")).start();
        List<Coordinator> clients = new ArrayList<>();
        try {
            for (int i = 0; i < WAITERS; i++) {
                clients.add(Coordinator.connect(server.uri("app"), options));
            }
            Hold hold = clients.get(0).lock("orders").acquire();
            PermitHold permits = clients.get(0).semaphore("lines", 3).acquire(2);
            List<CompletableFuture<Hold>> locks = new ArrayList<>();
            List<CompletableFuture<PermitHold>> semaphores = new ArrayList<>();
            for (Coordinator waiter : clients.subList(1, WAITERS)) {
                locks.add(waiter.lock("orders").acquireAsync());
                semaphores.add(waiter.semaphore("lines", 3).acquireAsync(2));
            }
            await().until(() -> clients.get(0).lock("orders").queue().size() == WAITERS);

            int port = server.port();
            server.close();
            await().atMost(30, SECONDS)
                    .until(() -> hold.state() == HoldState.LOST && permits.state() == HoldState.LOST);
            server = LocalZooKeeper.builder()
                    .port(port)
                    .data(folder.resolve("empty"))
                    .start();

            takeTurns(locks);
            takeTurns(semaphores);
        } finally {
            clients.forEach(Coordinator::close);
            server.close();
        }
    }

    /** In whatever order they have joined again. */
    private static void takeTurns(List<? extends CompletableFuture<? extends Hold>> waiting) throws Exception {
        var left = new ArrayList<>(waiting);
        while (!left.isEmpty()) {
            await().atMost(60, SECONDS).until(() -> left.stream().anyMatch(CompletableFuture::isDone));
            List<? extends CompletableFuture<? extends Hold>> granted =
                    left.stream().filter(CompletableFuture::isDone).toList();
            assertThat(granted).hasSize(1);
            left.removeAll(granted);
            granted.get(0).get().close();
        }
    }

    private static List<Long> tokens(Coordinator baton) throws InterruptedException {
        return baton.lock("orders").queue().stream().map(QueueEntry::token).toList();
    }
}
