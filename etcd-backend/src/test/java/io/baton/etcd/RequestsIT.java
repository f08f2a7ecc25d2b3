package io.baton.etcd;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.DistributedLock;
import io.baton.Hold;
import io.baton.testkit.etcd.EtcdExtension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What each step asks of the server, by the server's own count. */
@Tag("etcd")
@Timeout(180)
class RequestsIT {

    /** No sign of life is due while a test runs, but for one of who holds or comes next, every five seconds. */
    private static final Duration TTL = Duration.ofMinutes(20);

    private static final String TXN = "KV/Txn";
    private static final String WATCH = "Watch/Watch";
    private static final String KEEP_ALIVE = "Lease/LeaseKeepAlive";

    @RegisterExtension
    static final EtcdExtension etcd = EtcdExtension.newest();

    private final List<Coordinator> open = new ArrayList<>();

    @AfterEach
    void end() {
        open.forEach(Coordinator::close);
    }

    @Test
    void acquire_nobodyElse_takesOneRequestAndReleaseAnother() throws Exception {
        DistributedLock lock = baton().lock("alone");
        int rounds = 5;
        long beats = quiet().getOrDefault(KEEP_ALIVE, 0L);
        for (int i = 0; i < rounds; i++) {
            Map<String, Long> before = quiet();
            Hold hold = lock.acquire();
            Map<String, Long> held = quiet();
            hold.close();
            Map<String, Long> released = quiet();

            assertThat(difference(before, held)).isEqualTo(Map.of(TXN, 1L));
            assertThat(difference(held, released)).isEqualTo(Map.of(TXN, 1L));
        }
        assertThat(quiet().getOrDefault(KEEP_ALIVE, 0L) - beats)
                .as("signs of life")
                .isLessThan(rounds);
    }

    @Test
    void tryAcquire_taken_takesOneRead() throws Exception {
        DistributedLock lock = baton().lock("taken");
        try (Hold hold = baton().lock("taken").acquire()) {
            Map<String, Long> before = quiet();
            assertThat(lock.tryAcquire()).isEmpty();
            assertThat(difference(before, quiet())).isEqualTo(Map.of(TXN, 1L));
            assertThat(hold.token()).isPositive();
        }
    }

    @Test
    void handOff_twoWaiters_takesOneRequest() throws Exception {
        Hold first = baton().lock("two").acquire();
        DistributedLock lock = baton().lock("two");
        Map<String, Long> alone = quiet();
        CompletableFuture<Hold> second = lock.acquireAsync();
        awaitWatches(1);
        // A join, a watch, and a read that confirms it.
        assertThat(difference(alone, quiet())).isEqualTo(Map.of(TXN, 2L, WATCH, 1L));
        CompletableFuture<Hold> third = baton().lock("two").acquireAsync();
        awaitWatches(2);

        Map<String, Long> waiting = quiet();
        first.close();
        Hold secondHold = second.get(30, SECONDS);
        Map<String, Long> handedOver = quiet();
        assertThat(third).isNotDone();
        secondHold.close();
        third.get(30, SECONDS);

        // The release, and the end of the watch; nothing waits for the answer to that.
        assertThat(difference(waiting, handedOver)).isEqualTo(Map.of(TXN, 1L, WATCH, 1L));
        assertThat(difference(handedOver, quiet())).isEqualTo(Map.of(TXN, 1L, WATCH, 1L));
    }

    @Test
    void handOff_fiveHundredWaitersOfFewSessions_takesTwoRequestsEachAtMost() throws Exception {
        int waiters = 500;
        List<DistributedLock> locks = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            locks.add(baton().lock("many"));
        }
        Hold first = baton().lock("many").acquire();
        Map<String, Long> alone = quiet();
        var granted = new AtomicInteger();
        List<CompletableFuture<Hold>> all = new ArrayList<>();
        for (int i = 0; i < waiters; i++) {
            all.add(locks.get(i % locks.size()).acquireAsync());
        }
        soon().until(() -> etcd.server().keys(etcd.root() + "/locks/").size() == waiters + 1);
        Map<String, Long> waiting = quiet();
        Map<String, Long> joined = difference(alone, waiting);
        assertThat(joined.get(TXN))
                .as("asked by %s waiters: %s", waiters, joined)
                .isLessThanOrEqualTo(2L * waiters);
        assertThat(joined.get(WATCH)).isLessThanOrEqualTo(waiters + (long) locks.size());

        first.close();
        CompletableFuture<Hold> head = next(all);
        Hold second = head.join();
        Map<String, Long> handedOver = quiet();
        assertThat(difference(waiting, handedOver)).isEqualTo(Map.of(TXN, 1L, WATCH, 1L));
        assertThat(all).filteredOn(CompletableFuture::isDone).hasSize(1);

        all.forEach(one -> one.thenAccept(hold -> {
            granted.incrementAndGet();
            hold.releaseAsync();
        }));
        soon().until(() -> granted.get() == waiters && entries() == 0);
        Map<String, Long> drained = difference(handedOver, quiet());
        assertThat(second.token()).isGreaterThan(first.token());
        // A release and a read for each that was left. Where another session's entry stands between two own ones, the
        // second looks for that one first, and watches it until it has gone; the looks above are counted, too.
        assertThat(drained.get(TXN) + joined.get(TXN)).as("%s", drained).isLessThanOrEqualTo(5L * waiters);
        assertThat(drained.getOrDefault(WATCH, 0L)).as("%s", drained).isLessThanOrEqualTo(2L * waiters);
        System.out.printf("%d waiters: to wait %s, to drain %s%n", waiters, joined, drained);
    }

    private static CompletableFuture<Hold> next(List<CompletableFuture<Hold>> all) {
        soon().until(() -> all.stream().anyMatch(CompletableFuture::isDone));
        return all.stream().filter(CompletableFuture::isDone).findFirst().orElseThrow();
    }

    private Coordinator baton() throws InterruptedException {
        Coordinator baton = Coordinator.connect(
                etcd.uri(), CoordinatorOptions.builder().ttl(TTL).build());
        open.add(0, baton);
        return baton;
    }

    private static int entries() {
        return etcd.server().keys(etcd.root() + "/locks/").size();
    }

    /** So many on lines; each session has one of its own besides. */
    private void awaitWatches(long number) {
        soon().until(() -> etcd.server().watches() == open.size() + number);
    }

    /** What has been asked so far, once nothing is asked any more. */
    private static Map<String, Long> quiet() {
        var last = new AtomicReference<Map<String, Long>>(Map.of());
        soon().pollInterval(Duration.ofMillis(150)).until(() -> {
            Map<String, Long> now = etcd.server().requests();
            return now.equals(last.getAndSet(now));
        });
        return last.get();
    }

    private static ConditionFactory soon() {
        return await().atMost(Duration.ofSeconds(60));
    }

    /**
     * As {@code etcdctl} looks by ranges, and we by transactions, its looks do not count. Nor do signs of life, each a renewal and
     * a look at the own entries, which a slow machine may see in between.
     */
    private static Map<String, Long> difference(Map<String, Long> before, Map<String, Long> after) {
        var difference = new TreeMap<String, Long>();
        after.forEach((kind, count) -> {
            long more = count - before.getOrDefault(kind, 0L);
            if (more > 0) {
                difference.put(kind, more);
            }
        });
        Long beats = difference.remove(KEEP_ALIVE);
        if (beats != null) {
            difference.computeIfPresent(TXN, (kind, count) -> count.equals(beats) ? null : Long.valueOf(count - beats));
        }
        return difference;
    }
}
