package io.baton.zookeeper;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.baton.CoordinationException;
import io.baton.Coordinator;
import io.baton.DistributedLock;
import io.baton.Hold;
import io.baton.QueueEntry;
import io.baton.testkit.zookeeper.ZooKeeperExtension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A lock that has been used two billion times, on a real server that then repeats its last number. */
@Timeout(120)
class NumbersUsedUpIT {

    private static final int CLIENTS = 4;
    private static final int ROUNDS = 25;

    @RegisterExtension
    static final ZooKeeperExtension zookeeper = new ZooKeeperExtension();

    @Test
    void acquire_acrossTheEndOfTheNumbers_staysExclusiveInOrderAndRising() throws Exception {
        String line = zookeeper.chroot() + "/locks/worn";
        ExecutorService threads = Executors.newFixedThreadPool(2 * CLIENTS);
        List<Coordinator> clients = new ArrayList<>();
        try {
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(Coordinator.connect(zookeeper.uri()));
            }
            clients.get(0).lock("worn").acquire().close();
            zookeeper.server().numberFrom(line, Integer.MAX_VALUE - CLIENTS * ROUNDS);
            var inside = new AtomicInteger();
            var tokens = new ConcurrentLinkedQueue<Long>();
            List<Future<?>> running = new ArrayList<>();
            for (Coordinator client : clients) {
                // Two threads each, whose requests reach the server back to back.
                for (int thread = 0; thread < 2; thread++) {
                    running.add(threads.submit(() -> contend(client.lock("worn"), inside, tokens)));
                }
            }
            for (Future<?> one : running) {
                one.get(90, SECONDS);
            }

            assertThat(List.copyOf(tokens))
                    .hasSize(2 * CLIENTS * ROUNDS)
                    .isSorted()
                    .doesNotHaveDuplicates();
            showsTheQueueInOrder(clients);
            refusesCurator(clients.get(0), line);
        } finally {
            clients.forEach(Coordinator::close);
            threads.shutdownNow();
        }
    }

    private static Void contend(DistributedLock lock, AtomicInteger inside, ConcurrentLinkedQueue<Long> tokens)
            throws InterruptedException {
        for (int i = 0; i < ROUNDS; i++) {
            try (Hold hold = lock.acquire()) {
                assertThat(inside.incrementAndGet()).isEqualTo(1);
                tokens.add(hold.token());
                inside.decrementAndGet();
            }
        }
        return null;
    }

    private static void showsTheQueueInOrder(List<Coordinator> clients) throws InterruptedException {
        DistributedLock lock = clients.get(0).lock("worn");
        try (Hold hold = lock.acquire()) {
            for (Coordinator client : clients.subList(1, CLIENTS)) {
                int before = lock.queue().size();
                var unused = client.lock("worn").acquireAsync();
                await().until(() -> lock.queue().size() == before + 1);
            }
            List<QueueEntry> queue = lock.queue();
            assertThat(queue.get(0).token()).isEqualTo(hold.token());
            assertThat(queue).extracting(QueueEntry::token).isSorted().doesNotHaveDuplicates();
        }
    }

    private static void refusesCurator(Coordinator client, String line) throws Exception {
        try (CuratorPeer curator = new CuratorPeer(zookeeper.server(), line, ForeignPeerContract.TTL)) {
            Thread acquiring = new Thread(() -> {
                try {
                    curator.acquire();
                } catch (Exception ended) {
                    Thread.currentThread().interrupt();
                }
            });
            acquiring.start();
            // Until Curator's entry stands, others are waited for.
            await().untilAsserted(
                            () -> assertThatThrownBy(() -> client.lock("worn").tryAcquire(Duration.ofMillis(100)))
                                    .isInstanceOf(CoordinationException.class)
                                    .hasMessageContaining("used up"));
            acquiring.interrupt();
            acquiring.join();
        }
    }
}
