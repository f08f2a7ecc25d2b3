package io.baton.etcd;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Dialect;
import io.baton.DistributedLock;
import io.baton.Guard;
import io.baton.Hold;
import io.baton.HoldState;
import io.baton.Op;
import io.baton.QueueEntry;
import io.baton.RecordKey;
import io.baton.testkit.LongRun;
import io.baton.testkit.etcd.EtcdExtension;
import io.baton.testkit.server.Freezer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What Baton and {@code etcdctl lock} owe each other on one lock. */
@Tag("etcd")
@Timeout(300)
abstract class EtcdctlContract {

    private static final Duration TTL = Duration.ofSeconds(10);
    private static final Duration SHORT = Duration.ofSeconds(2);
    private static final Pattern CREATED = Pattern.compile("\"create_revision\":(\\d+)");

    private final List<AutoCloseable> open = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    abstract EtcdExtension etcd();

    @AfterEach
    void end() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
        threads.shutdownNow();
    }

    @Test
    void acquire_peerHolds_waitsForItsRelease() throws Exception {
        EtcdctlPeer peer = peer(TTL);
        peer.awaitHolding();
        DistributedLock lock = lock();

        assertThat(lock.tryAcquire()).isEmpty();
        CompletableFuture<Hold> waiting = lock.acquireAsync();
        awaitEntries(2);
        assertThat(lock.queue()).extracting(QueueEntry::holder).containsExactly(true, false);
        assertThat(waiting).isNotDone();
        peer.interrupt();

        try (Hold hold = waiting.get(30, SECONDS)) {
            assertThat(hold.name()).isEqualTo(path());
            assertThat(hold.state()).isEqualTo(HoldState.HELD);
        }
        awaitEntries(0);
    }

    @Test
    void peer_batonHolds_waitsForItsRelease() throws Exception {
        Hold hold = lock().acquire();

        EtcdctlPeer peer = peer(TTL);
        awaitEntries(2);
        assertThat(peer.holds()).isFalse();
        hold.close();

        assertThat(peer.awaitHolding()).startsWith(path() + "/");
        peer.interrupt();
        awaitEntries(0);
    }

    /** Its keys begin with {@code report/}, which no path with a slash in front can name. */
    @Test
    void lockAt_nameWithoutASlash_isTheLockThatEtcdctlHasByThatName() throws Exception {
        String name = "report";
        Coordinator baton = baton();
        DistributedLock lock = baton.lockAt(name, Dialect.BATON);
        EtcdctlPeer first = opened(EtcdctlPeer.at(etcd().server(), name, TTL));
        assertThat(first.awaitHolding()).startsWith("report/");

        assertThat(lock.tryAcquire()).isEmpty();
        for (DistributedLock other : List.of(baton.lock(name), baton.lockAt("/report", Dialect.BATON))) {
            opened(other.tryAcquire().orElseThrow());
        }
        CompletableFuture<Hold> second = lock.acquireAsync();
        soon().until(() -> etcd().server().keys("report/").size() == 2);
        EtcdctlPeer third = opened(EtcdctlPeer.at(etcd().server(), name, TTL));
        soon().until(() -> etcd().server().keys("report/").size() == 3);
        assertThat(lock.queue()).extracting(QueueEntry::holder).containsExactly(true, false, false);
        first.interrupt();
        Hold hold = second.get(30, SECONDS);
        assertThat(hold.name()).isEqualTo(name);
        assertThat(third.holds()).isFalse();
        assertThat(baton.transact(List.of(Guard.held(hold)), List.of(Op.put(new RecordKey("interop", "a"), "mine"))))
                .isTrue();

        hold.close();

        third.awaitHolding();
    }

    @Test
    void lock_mixedWaiters_areGrantedInTheOrderOfTheirEntries() throws Exception {
        Hold first = lock().acquire();
        EtcdctlPeer second = peer(TTL);
        awaitEntries(2);
        CompletableFuture<Hold> third = lock().acquireAsync();
        awaitEntries(3);
        EtcdctlPeer fourth = peer(TTL);
        awaitEntries(4);
        CompletableFuture<Hold> fifth = lock().acquireAsync();
        awaitEntries(5);

        first.close();
        second.awaitHolding();
        assertThat(third).isNotDone();
        assertThat(fourth.holds()).isFalse();
        second.interrupt();
        Hold thirdHold = third.get(30, SECONDS);
        assertThat(fourth.holds()).isFalse();
        assertThat(fifth).isNotDone();
        thirdHold.close();
        fourth.awaitHolding();
        assertThat(fifth).isNotDone();
        fourth.interrupt();

        assertThat(fifth.get(30, SECONDS).token()).isGreaterThan(thirdHold.token());
    }

    @Test
    void lock_severalOfBothKinds_areGrantedOneAtATimeInTheOrderOfTheirEntries() throws Exception {
        int each = 3;
        int rounds = LongRun.rounds(3, 8);
        var inside = new AtomicInteger();
        List<Future<?>> all = new ArrayList<>();
        for (int i = 0; i < each; i++) {
            DistributedLock lock = lock();
            all.add(threads.submit(repeated(rounds, () -> {
                try (EtcdctlPeer peer = EtcdctlPeer.at(etcd().server(), path(), TTL)) {
                    String key = peer.awaitHolding();
                    check(inside, created(key));
                    inside.decrementAndGet();
                    peer.interrupt();
                }
                return null;
            })));
            all.add(threads.submit(repeated(rounds, () -> {
                try (Hold hold = lock.acquire()) {
                    check(inside, hold.token());
                    inside.decrementAndGet();
                }
                return null;
            })));
        }

        for (Future<?> one : all) {
            one.get(240, SECONDS);
        }

        awaitEntries(0);
    }

    @Test
    void acquire_peerKilled_isGrantedOnceItsLeaseHasEnded() throws Exception {
        EtcdctlPeer peer = peer(SHORT);
        peer.awaitHolding();
        CompletableFuture<Hold> waiting = lock().acquireAsync();
        awaitEntries(2);

        peer.kill();
        assertThat(waiting).isNotDone();

        waiting.get(30, SECONDS).close();
    }

    @Test
    void acquire_peerFrozenPastItsLease_isGrantedAndNotDisturbedWhenItWakes() throws Exception {
        EtcdctlPeer peer = peer(SHORT);
        String key = peer.awaitHolding();
        Coordinator baton = baton();
        DistributedLock lock = baton.lockAt(path(), Dialect.BATON);
        CompletableFuture<Hold> waiting = lock.acquireAsync();
        awaitEntries(2);

        Freezer frozen = peer.freeze();
        Hold hold = waiting.get(30, SECONDS);
        CompletableFuture<Hold> next = lock().acquireAsync();
        awaitEntries(2);
        assertThat(entries()).doesNotContain(key);
        frozen.thaw();

        assertThat(peer.awaitEnd()).as("it finds that its lease has ended").isNotZero();
        assertThat(entries()).hasSize(2);
        assertThat(next).isNotDone();
        assertThat(hold.state()).isEqualTo(HoldState.HELD);
        assertThat(baton.transact(List.of(Guard.held(hold)), List.of(Op.put(new RecordKey("interop", "a"), "mine"))))
                .isTrue();
        hold.close();
        next.get(30, SECONDS).close();
    }

    @Test
    void acquire_waitingPeerKilled_doesNotPassTheOneBeforeIt() throws Exception {
        Hold hold = lock().acquire();
        EtcdctlPeer peer = peer(SHORT);
        awaitEntries(2);
        CompletableFuture<Hold> waiting = lock().acquireAsync();
        awaitEntries(3);

        peer.kill();
        awaitEntries(2);
        assertThat(waiting).isNotDone();
        hold.close();

        waiting.get(30, SECONDS).close();
    }

    @Test
    void peer_batonsSessionEnds_isGrantedAndTheHoldIsLost() throws Exception {
        Hold hold = lock().acquire();
        EtcdctlPeer peer = peer(TTL);
        awaitEntries(2);

        etcd().server().expire(leaseOf(entries().get(0)));

        peer.awaitHolding();
        soon().until(() -> hold.state() == HoldState.LOST);
        hold.close();
        assertThat(peer.holds()).isTrue();
        assertThat(entries()).hasSize(1);
    }

    /** Go's library uses one key for all the times that a session stands in a line. */
    @Test
    void acquire_peerComesBackBehindUnderTheSameKey_isGranted() throws Exception {
        String lease = lease();
        String key = path() + "/" + lease;
        put(key, lease);
        CompletableFuture<Hold> waiting = lock().acquireAsync();
        awaitEntries(2);

        assertThat(etcd().server().delete(key)).isTrue();
        put(key, lease);

        Hold hold = waiting.get(30, SECONDS);
        assertThat(entries()).contains(key).hasSize(2);
        assertThat(created(key)).isGreaterThan(hold.token());
        CompletableFuture<Hold> behind = lock().acquireAsync();
        awaitEntries(3);
        hold.close();
        assertThat(behind).as("now it is ahead again").isNotDone();
        assertThat(etcd().server().delete(key)).isTrue();
        behind.get(30, SECONDS).close();
    }

    /** As before, but before there is a watch that could tell: whoever looks for the mere key waits for ever. */
    @Test
    void acquire_peerComesBackBehindBeforeItIsWatched_isGranted() throws Exception {
        String lease = lease();
        String key = path() + "/" + lease;
        put(key, lease);
        var wires = new HookedWires();
        wires.beforeWatch = range -> {
            assertThat(etcd().server().delete(key)).isTrue();
            put(key, lease);
        };
        try (HookedClient baton = HookedClient.open(etcd().uri(), TTL, wires)) {
            CompletableFuture<Hold> waiting =
                    baton.coordinator().lockAt(path(), Dialect.BATON).acquireAsync();

            Hold hold = waiting.get(30, SECONDS);
            assertThat(created(key)).isGreaterThan(hold.token());
        }
    }

    /**
     * What {@code etcdctl} gives its command is the store's revision when it looked, which is not the entry's: after a
     * wait it may be beyond the tokens of those who wait behind it. Whoever compares tokens takes the entry's.
     */
    @Test
    void token_peerWaited_isTheRevisionThatCreatedItsEntryAndNotWhatEtcdctlSays() throws Exception {
        Hold first = lock().acquire();
        EtcdctlPeer second = opened(
                EtcdctlPeer.running(etcd().server(), path(), TTL, "echo $ETCD_LOCK_KEY $ETCD_LOCK_REV; exec sleep 1"));
        awaitEntries(2);
        CompletableFuture<Hold> third = lock().acquireAsync();
        awaitEntries(3);
        List<Long> tokens = lock().queue().stream().map(QueueEntry::token).toList();
        first.close();

        String[] said = second.awaitHolding().split(" ");
        Hold thirdHold = third.get(30, SECONDS);

        assertThat(tokens).isSorted().startsWith(first.token()).endsWith(thirdHold.token());
        assertThat(said[0]).startsWith(path() + "/");
        assertThat(Long.parseLong(said[1])).isGreaterThan(tokens.get(1)).isGreaterThan(thirdHold.token());
    }

    @Test
    void token_peerDidNotWait_isWhatEtcdctlSays() throws Exception {
        String untilItIsKilled = "; while kill -0 $PPID 2>/dev/null; do sleep 0.1; done";
        EtcdctlPeer peer = opened(EtcdctlPeer.running(
                etcd().server(), path(), TTL, "echo $ETCD_LOCK_KEY $ETCD_LOCK_REV" + untilItIsKilled));

        String[] said = peer.awaitHolding().split(" ");

        List<QueueEntry> queue = lock().queue();
        assertThat(queue).extracting(QueueEntry::token).containsExactly(Long.parseLong(said[1]));
    }

    @Test
    void queue_keyWithoutALease_blocksAndShows() throws Exception {
        String key = path() + "/left over";
        etcd().server().ctl().run("put", "--", key, "somebody's");
        DistributedLock lock = lock();

        assertThat(lock.tryAcquire()).isEmpty();
        CompletableFuture<Hold> waiting = lock.acquireAsync();
        awaitEntries(2);
        QueueEntry ahead = lock.queue().get(0);
        assertThat(ahead.holder()).isTrue();
        assertThat(ahead.token()).isEqualTo(created(key));
        assertThat(ahead.client()).isEmpty();
        assertThat(ahead.since()).isEqualTo(Optional.empty());
        assertThat(waiting).isNotDone();
        assertThat(etcd().server().delete(key)).isTrue();

        waiting.get(30, SECONDS).close();
    }

    /** Nobody else is inside, and it was the turn of whoever is. */
    private void check(AtomicInteger inside, long created) {
        assertThat(inside.incrementAndGet()).isEqualTo(1);
        long first = entries().stream()
                .map(this::createdOrGone)
                .flatMap(Optional::stream)
                .min(Long::compare)
                .orElseThrow();
        assertThat(created).as("first in line is who was granted").isEqualTo(first);
        assertThat(inside.get()).isEqualTo(1);
    }

    private static Callable<Void> repeated(int times, Callable<Void> round) {
        return () -> {
            for (int i = 0; i < times; i++) {
                round.call();
            }
            return null;
        };
    }

    private EtcdctlPeer peer(Duration ttl) {
        return opened(EtcdctlPeer.at(etcd().server(), path(), ttl));
    }

    private DistributedLock lock() throws InterruptedException {
        return baton().lockAt(path(), Dialect.BATON);
    }

    private Coordinator baton() throws InterruptedException {
        var options = CoordinatorOptions.builder().ttl(TTL).build();
        return opened(Coordinator.connect(etcd().uri(), options));
    }

    private <T extends AutoCloseable> T opened(T one) {
        open.add(0, one);
        return one;
    }

    /** A lock of this test's own, not below the client's root. */
    private String path() {
        return "/legacy" + etcd().root() + "/orders";
    }

    private List<String> entries() {
        return etcd().server().keys(path() + "/");
    }

    private void awaitEntries(int number) {
        soon().until(() -> entries().size() == number);
    }

    private static ConditionFactory soon() {
        return await().atMost(Duration.ofSeconds(30));
    }

    private String lease() {
        Matcher granted = Pattern.compile("lease (\\w+) granted")
                .matcher(etcd().server().ctl().run("lease", "grant", "300"));
        assertThat(granted.find()).isTrue();
        return granted.group(1);
    }

    private void put(String key, String lease) {
        etcd().server().ctl().run("put", "--lease=" + lease, "--", key, "");
    }

    private static long leaseOf(String entry) {
        String name = entry.substring(entry.lastIndexOf('/') + 1);
        return Long.parseUnsignedLong(name.substring(0, name.indexOf('-')), 16);
    }

    private long created(String key) {
        return createdOrGone(key).orElseThrow();
    }

    private Optional<Long> createdOrGone(String key) {
        Matcher created = CREATED.matcher(etcd().server().ctl().run("get", "-w", "json", "--", key));
        return created.find() ? Optional.of(Long.parseLong(created.group(1))) : Optional.empty();
    }
}
