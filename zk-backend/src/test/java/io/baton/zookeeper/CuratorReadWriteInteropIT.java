package io.baton.zookeeper;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.DistributedReadWriteLock;
import io.baton.Hold;
import io.baton.QueueEntry;
import io.baton.ReleaseRequest;
import io.baton.WriteHold;
import io.baton.spi.Claim;
import io.baton.testkit.zookeeper.ZooKeeperExtension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.framework.recipes.locks.InterProcessReadWriteLock;
import org.apache.curator.framework.recipes.locks.Revoker;
import org.apache.curator.retry.RetryOneTime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Baton's read/write lock and Curator's {@code InterProcessReadWriteLock} at one path exclude each other. */
@Timeout(120)
class CuratorReadWriteInteropIT {

    @RegisterExtension
    static final ZooKeeperExtension zookeeper = new ZooKeeperExtension();

    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private CuratorFramework client;
    private InterProcessReadWriteLock theirs;
    private Coordinator baton;
    private DistributedReadWriteLock ours;

    @BeforeEach
    void connect() throws Exception {
        client = CuratorFrameworkFactory.newClient(
                zookeeper.server().connectString(), 10_000, 10_000, new RetryOneTime(100));
        client.start();
        client.blockUntilConnected();
        theirs = new InterProcessReadWriteLock(client, path());
        baton = Coordinator.connect(
                zookeeper.uri(),
                CoordinatorOptions.builder().ttl(Duration.ofSeconds(20)).build());
        ours = baton.readWriteLockAt(path(), ZooKeeperDialects.CURATOR);
    }

    @AfterEach
    void close() {
        thread.shutdownNow();
        threads.shutdownNow();
        baton.close();
        client.close();
    }

    @Test
    void curatorsWriter_holds_keepsOursOut() throws Exception {
        onItsThread(theirs.writeLock()::acquire);

        assertThat(ours.read().tryAcquire()).isEmpty();
        assertThat(ours.write().tryAcquire()).isEmpty();
        CompletableFuture<Hold> reader = ours.read().acquireAsync();
        standing(2);
        assertThat(reader).isNotDone();
        onItsThread(theirs.writeLock()::release);

        reader.get(30, SECONDS).close();
    }

    @Test
    void curatorsReader_holds_sharesWithOurReaderOnly() throws Exception {
        onItsThread(theirs.readLock()::acquire);

        ours.read().tryAcquire().orElseThrow().close();
        assertThat(ours.write().tryAcquire()).isEmpty();
        CompletableFuture<WriteHold> writer = ours.write().acquireAsync();
        standing(2);
        assertThat(writer).isNotDone();
        assertThat(ours.queue()).extracting(QueueEntry::claim).containsExactly(Claim.SHARED, Claim.EXCLUSIVE);
        onItsThread(theirs.readLock()::release);

        writer.get(30, SECONDS).close();
    }

    @Test
    void ourWriter_holds_keepsCuratorsOut() throws Exception {
        WriteHold writer = ours.write().acquire();

        assertThat(tries(theirs.readLock())).isFalse();
        assertThat(tries(theirs.writeLock())).isFalse();
        Future<?> waiting = thread.submit(acquiring(theirs.readLock()));
        standing(2);
        assertThat(waiting.isDone()).isFalse();
        writer.close();

        waiting.get(30, SECONDS);
        assertThat(ours.write().tryAcquire()).isEmpty();
        onItsThread(theirs.readLock()::release);
    }

    @Test
    void ourReader_holds_sharesWithCuratorsReaderOnly() throws Exception {
        Hold reader = ours.read().acquire();

        assertThat(tries(theirs.readLock())).isTrue();
        onItsThread(theirs.readLock()::release);
        assertThat(tries(theirs.writeLock())).isFalse();
        reader.close();

        assertThat(tries(theirs.writeLock())).isTrue();
    }

    /** Curator's programs see a downgraded writer as the writer it was, which is safe. */
    @Test
    void ourDowngradedWriter_holds_sharesWithOursOnly() throws Exception {
        try (Hold kept = ours.write().acquire().downgrade()) {
            ours.read().tryAcquire().orElseThrow().close();
            assertThat(tries(theirs.writeLock())).isFalse();
            assertThat(tries(theirs.readLock())).isFalse();
        }
        assertThat(tries(theirs.readLock())).isTrue();
    }

    @Test
    void ourDowngradedWriter_curatorsRevokerAsks_hearsOfItAndStaysDowngraded() throws Exception {
        try (Hold kept = ours.write().acquire().downgrade()) {
            var heard = new CompletableFuture<ReleaseRequest>();
            kept.onReleaseRequested(heard::complete);

            Revoker.attemptRevoke(
                    client, path() + "/" + client.getChildren().forPath(path()).get(0));

            heard.get(30, SECONDS);
            ours.read().tryAcquire(Duration.ofSeconds(10)).orElseThrow().close();
        }
    }

    @Test
    void readersAndWriters_ofBothKinds_excludeEachOther() throws Exception {
        var writing = new AtomicInteger();
        var reading = new AtomicInteger();
        List<Future<?>> all = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            boolean writes = i % 2 == 0;
            var lock = new InterProcessReadWriteLock(client, path());
            InterProcessMutex mutex = writes ? lock.writeLock() : lock.readLock();
            all.add(threads.submit(repeated(() -> {
                mutex.acquire();
                inside(writes, writing, reading);
                mutex.release();
                return null;
            })));
            all.add(threads.submit(repeated(() -> {
                try (Hold hold = writes ? ours.write().acquire() : ours.read().acquire()) {
                    inside(writes, writing, reading);
                    hold.ensureValid(Duration.ZERO);
                }
                return null;
            })));
        }
        for (Future<?> each : all) {
            each.get(60, SECONDS);
        }
        await().until(() -> ours.queue().isEmpty());
    }

    private static void inside(boolean writes, AtomicInteger writing, AtomicInteger reading) {
        if (writes) {
            assertThat(writing.incrementAndGet()).isEqualTo(1);
            assertThat(reading.get()).isZero();
            writing.decrementAndGet();
        } else {
            reading.incrementAndGet();
            assertThat(writing.get()).isZero();
            reading.decrementAndGet();
        }
    }

    private static Callable<Void> repeated(Callable<Void> round) {
        return () -> {
            for (int i = 0; i < 15; i++) {
                round.call();
            }
            return null;
        };
    }

    private boolean tries(InterProcessMutex mutex) throws Exception {
        return thread.submit(() -> mutex.acquire(300, MILLISECONDS)).get(30, SECONDS);
    }

    private interface Task {
        void run() throws Exception;
    }

    private static Callable<Void> acquiring(InterProcessMutex mutex) {
        return () -> {
            mutex.acquire();
            return null;
        };
    }

    private void onItsThread(Task task) throws Exception {
        thread.submit(() -> {
                    task.run();
                    return null;
                })
                .get(30, SECONDS);
    }

    private void standing(int number) {
        await().until(() -> ours.queue().size() == number);
    }

    /** A lock of this test's own, not below the client's root. */
    private static String path() {
        return "/legacy" + zookeeper.chroot() + "/book";
    }
}
