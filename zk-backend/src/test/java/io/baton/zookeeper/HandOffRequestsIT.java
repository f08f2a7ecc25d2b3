package io.baton.zookeeper;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.DistributedLock;
import io.baton.Hold;
import io.baton.internal.client.DefaultCoordinator;
import io.baton.spi.EventLoop;
import io.baton.testkit.zookeeper.ZooKeeperExtension;
import io.baton.zookeeper.wire.LiveZkWire;
import io.baton.zookeeper.wire.Settings;
import io.baton.zookeeper.wire.ZkAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class HandOffRequestsIT {

    private static final int THREADS = 200;

    /** What the client sends to stay alive, whether or not anybody hands over. */
    private static final List<String> LIVENESS = List.of("ping", "multi");

    @RegisterExtension
    static final ZooKeeperExtension zookeeper = new ZooKeeperExtension();

    @Test
    void handOff_200ThreadsOnOneLockObject_takesTwoRequests() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        var sent = new ConcurrentHashMap<String, Long>();
        try (EventLoop loop = new EventLoop("counted");
                Coordinator baton = counted(sent, loop, threads)) {
            DistributedLock lock = baton.lock("one");
            Hold first = lock.acquire();
            var inside = new AtomicInteger();
            var tokens = new ConcurrentLinkedQueue<Long>();
            List<CompletableFuture<Void>> done = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                done.add(CompletableFuture.runAsync(() -> holdOnce(lock, inside, tokens), threads));
            }
            awaitQuiet(lock, THREADS);

            Map<String, Long> seenBefore = zookeeper.server().requests();
            Map<String, Long> sentBefore = Map.copyOf(sent);
            first.close();
            CompletableFuture.allOf(done.toArray(CompletableFuture[]::new)).get(60, SECONDS);
            Map<String, Long> atTheServer =
                    difference(seenBefore, zookeeper.server().requests());
            Map<String, Long> atTheWire = difference(sentBefore, sent);

            assertThat(List.copyOf(tokens)).hasSize(THREADS).isSorted();
            // THREADS hand-offs, and the last release, which hands over to nobody.
            assertThat(sum(atTheServer))
                    .as("seen by the server: %s", atTheServer)
                    .isLessThanOrEqualTo(2L * THREADS + 1);
            assertThat(sum(atTheWire)).as("sent: %s", atTheWire).isLessThanOrEqualTo(2L * THREADS + 1);
            System.out.printf(
                    "%d hand-offs among %d threads: sent %s, seen by the server %s%n",
                    THREADS, THREADS, atTheWire, atTheServer);
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void handOff_fewClientsOften_followTheLineAndReadNothing() throws Exception {
        int clients = 4;
        int passes = 300;
        ExecutorService threads = Executors.newFixedThreadPool(clients);
        List<Coordinator> coordinators = new ArrayList<>();
        try {
            var inside = new AtomicInteger();
            var tokens = new ConcurrentLinkedQueue<Long>();
            List<CompletableFuture<Void>> done = new ArrayList<>();
            Map<String, Long> before = zookeeper.server().requests();
            for (int i = 0; i < clients; i++) {
                Coordinator baton = Coordinator.connect(zookeeper.uri());
                coordinators.add(baton);
                DistributedLock lock = baton.lock("few");
                done.add(CompletableFuture.runAsync(
                        () -> {
                            for (int pass = 0; pass < passes; pass++) {
                                holdOnce(lock, inside, tokens);
                            }
                        },
                        threads));
            }
            CompletableFuture.allOf(done.toArray(CompletableFuture[]::new)).get(60, SECONDS);
            Map<String, Long> requests = difference(before, zookeeper.server().requests());

            assertThat(List.copyOf(tokens)).hasSize(clients * passes).isSorted();
            // Create, list, delete; a fourth and a fifth only until the line is known to be worth following.
            assertThat(sum(requests)).as("seen by the server: %s", requests).isLessThan(4L * clients * passes);
        } finally {
            coordinators.forEach(Coordinator::close);
            threads.shutdownNow();
        }
    }

    /** A removal, and what the next but one needs to prepare: two watches and a listing, which may be asked for twice. */
    @Test
    void handOff_manyClients_takesAtMostFiveRequestsHoweverManyWait() throws Exception {
        int clients = 12;
        ExecutorService threads = Executors.newFixedThreadPool(clients);
        List<Coordinator> coordinators = new ArrayList<>();
        try (Coordinator holder = Coordinator.connect(zookeeper.uri())) {
            DistributedLock held = holder.lock("many");
            Hold first = held.acquire();
            var inside = new AtomicInteger();
            var tokens = new ConcurrentLinkedQueue<Long>();
            List<CompletableFuture<Void>> done = new ArrayList<>();
            for (int i = 0; i < clients; i++) {
                Coordinator baton = Coordinator.connect(zookeeper.uri());
                coordinators.add(baton);
                DistributedLock lock = baton.lock("many");
                done.add(CompletableFuture.runAsync(() -> holdOnce(lock, inside, tokens), threads));
            }
            awaitQuiet(held, clients);

            Map<String, Long> before = zookeeper.server().requests();
            first.close();
            CompletableFuture.allOf(done.toArray(CompletableFuture[]::new)).get(60, SECONDS);
            Map<String, Long> requests = difference(before, zookeeper.server().requests());

            assertThat(List.copyOf(tokens)).hasSize(clients).isSorted();
            assertThat(sum(requests)).as("seen by the server: %s", requests).isLessThanOrEqualTo(5L * clients + 1);
        } finally {
            coordinators.forEach(Coordinator::close);
            threads.shutdownNow();
        }
    }

    private static Coordinator counted(ConcurrentHashMap<String, Long> sent, EventLoop loop, Executor callbacks) {
        ZkAddress address = ZkAddress.parse(URI.create(zookeeper.uri()));
        ZkStore store = new ZkStore(
                address, owner -> CountingWire.counting(LiveZkWire.to(address, Settings.NONE, owner), sent));
        DefaultCoordinator client = DefaultCoordinator.start(store, loop, callbacks, CoordinatorOptions.defaults());
        client.ready().join();
        return client;
    }

    private static void holdOnce(DistributedLock lock, AtomicInteger inside, ConcurrentLinkedQueue<Long> tokens) {
        try (Hold hold = lock.acquire()) {
            assertThat(inside.incrementAndGet()).isEqualTo(1);
            tokens.add(hold.token());
            inside.decrementAndGet();
        } catch (InterruptedException stopped) {
            throw new AssertionError(stopped);
        }
    }

    /** All have joined, and set their watches: nothing but signs of life is sent any more. */
    private static void awaitQuiet(DistributedLock lock, int waiting) {
        await().atMost(30, SECONDS).until(() -> lock.queue().size() == waiting + 1);
        var last = new AtomicReference<Map<String, Long>>(zookeeper.server().requests());
        await().pollDelay(500, MILLISECONDS)
                .pollInterval(500, MILLISECONDS)
                .atMost(30, SECONDS)
                .until(() -> {
                    Map<String, Long> now = zookeeper.server().requests();
                    return sum(difference(last.getAndSet(now), now)) == 0;
                });
    }

    private static Map<String, Long> difference(Map<String, Long> before, Map<String, Long> after) {
        var difference = new TreeMap<String, Long>();
        after.forEach((kind, count) -> {
            long more = count - before.getOrDefault(kind, 0L);
            if (more > 0) {
                difference.put(kind, more);
            }
        });
        return difference;
    }

    private static long sum(Map<String, Long> requests) {
        return requests.entrySet().stream()
                .filter(kind -> !LIVENESS.contains(kind.getKey()))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }
}
