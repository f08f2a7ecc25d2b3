package io.baton.zookeeper;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.DistributedReadWriteLock;
import io.baton.Hold;
import io.baton.HoldState;
import io.baton.PermitHold;
import io.baton.testkit.LongRun;
import io.baton.testkit.proxy.TcpProxy;
import io.baton.testkit.zookeeper.LocalZooKeeper;
import io.baton.testkit.zookeeper.ZooKeeperExtension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Lock names that are used once each, by the thousand, on a real server. */
@Timeout(180)
class EmptyLinesIT {

    private static final int LOCKS = LongRun.rounds(500, 3_000);
    private static final int AT_A_TIME = 64;

    @RegisterExtension
    static final ZooKeeperExtension zookeeper = new ZooKeeperExtension();

    @Test
    void locks_manyUsedOnce_leaveNoNodeBehind() throws Exception {
        // The server's own look comes once a minute, if at all while this lasts.
        try (Coordinator baton = Coordinator.connect(zookeeper.uri())) {
            useOnce(baton, "first", 1);
            int before = nodes() - 1; // its line

            useOnce(baton, "order", LOCKS);

            await().atMost(40, SECONDS).untilAsserted(() -> assertThat(nodes()).isLessThanOrEqualTo(before));
        }
    }

    /** The record of a semaphore's size stays, on purpose. */
    @Test
    void readWriteLocksAndSemaphores_usedOnce_leaveNoLineBehind() throws Exception {
        try (Coordinator baton = Coordinator.connect(zookeeper.uri())) {
            useOnceWithOthers(baton, "first");
            int before = nodes() - 2; // its lines: of the read/write lock, and of the permits
            for (int i = 0; i < 20; i++) {
                useOnceWithOthers(baton, "order-" + i);
            }

            await().atMost(40, SECONDS).untilAsserted(() -> assertThat(nodes()).isLessThanOrEqualTo(before + 20));
        }
    }

    private static void useOnceWithOthers(Coordinator baton, String name) throws InterruptedException {
        DistributedReadWriteLock lock = baton.readWriteLock(name);
        try (Hold one = lock.write().acquire().downgrade();
                Hold other = lock.read().acquire();
                PermitHold permits = baton.semaphore(name, 3).acquire(2)) {
            assertThat(List.of(one, other, permits)).extracting(Hold::state).containsOnly(HoldState.HELD);
        }
    }

    @Test
    void close_locksUsedOnce_leavesNoNodeBehind() throws Exception {
        int before;
        try (Coordinator baton = Coordinator.connect(zookeeper.uri())) {
            useOnce(baton, "first", 1);
            before = nodes() - 1; // its line
            useOnce(baton, "order", EmptyLines.MOST_AT_CLOSE - 1);
        }

        await().atMost(10, SECONDS).untilAsserted(() -> assertThat(nodes()).isLessThanOrEqualTo(before));
    }

    @Test
    void client_cutOffUntilItsSessionHasEnded_linesRemainForTheServer() throws Exception {
        try (LocalZooKeeper server = LocalZooKeeper.builder().start()) {
            int bare = server.contents().nodes();
            holdUntilTheSessionHasEnded(server, 100);
            awaitNodes(server, bare + 2 + 100); // /app, /app/locks, and what the server looks for once a minute
        }
    }

    @Test
    void client_cutOffUntilItsSessionHasEnded_serverRemovesTheLines() throws Exception {
        try (LocalZooKeeper server = LocalZooKeeper.builder()
                .containerInterval(Duration.ofMillis(100))
                .start()) {
            int bare = server.contents().nodes();
            holdUntilTheSessionHasEnded(server, 100);
            awaitNodes(server, bare + 2);
        }
    }

    @Test
    void acquire_othersRemoveTheLineAllTheTime_isGranted() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                running.add(threads.submit(() -> {
                    for (int round = 0; round < 25; round++) {
                        try (Coordinator baton = Coordinator.connect(zookeeper.uri());
                                Hold hold = baton.lock("one").acquire()) {
                            hold.ensureValid(Duration.ofMillis(1));
                        }
                    }
                    return null;
                }));
            }
            for (Future<?> one : running) {
                one.get(120, SECONDS);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private static void holdUntilTheSessionHasEnded(LocalZooKeeper server, int locks) throws Exception {
        CoordinatorOptions options = CoordinatorOptions.builder()
                .ttl(Duration.ofSeconds(4))
                .closeTimeout(Duration.ofMillis(100))
                .build();
        try (TcpProxy proxy = TcpProxy.to(server.address());
                Coordinator baton = Coordinator.connect(server.uri(proxy, "/app"), options)) {
            for (int i = 0; i < locks; i++) {
                var unused = baton.lock("held-" + i).acquire();
            }
            proxy.refuse();
            proxy.cut();
            await().atMost(30, SECONDS).until(() -> server.contents().ephemerals() == 0);
        }
    }

    private static void awaitNodes(LocalZooKeeper server, int nodes) {
        await().atMost(20, SECONDS)
                .untilAsserted(() -> assertThat(server.contents().nodes()).isEqualTo(nodes));
    }

    private static void useOnce(Coordinator baton, String name, int number) throws InterruptedException {
        var room = new Semaphore(AT_A_TIME);
        List<CompletableFuture<Void>> released = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            room.acquire();
            CompletableFuture<Void> done =
                    baton.lock(name + "-" + i).acquireAsync().thenCompose(Hold::releaseAsync);
            done.whenComplete((nothing, failure) -> room.release());
            released.add(done);
        }
        CompletableFuture.allOf(released.toArray(CompletableFuture[]::new)).join();
    }

    private static int nodes() {
        return zookeeper.server().contents().nodes();
    }
}
