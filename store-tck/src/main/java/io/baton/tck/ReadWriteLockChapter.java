package io.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.baton.Coordinator;
import io.baton.DistributedLock;
import io.baton.DistributedReadWriteLock;
import io.baton.Guard;
import io.baton.Hold;
import io.baton.HoldState;
import io.baton.LockLostException;
import io.baton.Op;
import io.baton.QueueEntry;
import io.baton.RecordKey;
import io.baton.WriteHold;
import io.baton.spi.Claim;
import io.baton.spi.Peer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Readers and writers of one line: fair both ways, readers together, and a downgrade that lets no writer in. */
abstract class ReadWriteLockChapter extends Chapter {

    private static final RecordKey RECORD = new RecordKey("tck", "stock");

    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void stopThreads() {
        threads.shutdownNow();
    }

    @Test
    void readers_ofTwoCoordinatorsAndOfOne_holdTogether() throws InterruptedException {
        DistributedReadWriteLock here = coordinator().readWriteLock("tck");
        DistributedReadWriteLock there = coordinator().readWriteLock("tck");

        try (Hold first = here.read().acquire();
                Hold second = here.read().acquire();
                Hold third = there.read().tryAcquire().orElseThrow()) {
            assertThat(List.of(first, second, third)).extracting(Hold::state).containsOnly(HoldState.HELD);
            assertThat(here.queue()).extracting(QueueEntry::holder).containsExactly(true, true, true);
            assertThat(here.queue()).extracting(QueueEntry::claim).containsOnly(Claim.SHARED);
            assertThat(there.write().tryAcquire()).isEmpty();
        }
        assertThat(here.queue()).isEmpty();
    }

    @Test
    void writer_holds_keepsReadersAndWritersOut() throws InterruptedException {
        Coordinator baton = coordinator();
        DistributedReadWriteLock lock = baton.readWriteLock("tck");
        DistributedReadWriteLock other = coordinator().readWriteLock("tck");

        try (WriteHold writer = lock.write().acquire()) {
            assertThat(lock.read().tryAcquire()).isEmpty();
            assertThat(other.read().tryAcquire()).isEmpty();
            assertThat(other.write().tryAcquire()).isEmpty();
            assertThat(other.write().tryAcquire(Duration.ofMillis(50))).isEmpty();
            assertThat(baton.transact(List.of(Guard.held(writer)), List.of(Op.put(RECORD, "written"))))
                    .isTrue();
        }
        soon().until(() -> other.write().tryAcquire().map(this::closed).isPresent());
    }

    @Test
    void contenders_ofBothKinds_areServedInTheOrderOfJoining() throws Exception {
        DistributedReadWriteLock here = coordinator().readWriteLock("tck");
        DistributedReadWriteLock there = coordinator().readWriteLock("tck");
        Hold reader = here.read().acquire();
        CompletableFuture<WriteHold> writer = there.write().acquireAsync();
        standing(here, 2);
        CompletableFuture<Hold> second = here.read().acquireAsync();
        standing(here, 3);
        CompletableFuture<Hold> third = there.read().acquireAsync();
        standing(here, 4);
        CompletableFuture<WriteHold> last = here.write().acquireAsync();
        standing(here, 5);
        assertThat(here.queue())
                .extracting(QueueEntry::holder)
                .as("no reader overtakes the writer")
                .containsExactly(true, false, false, false, false);
        stays(() -> !writer.isDone() && !second.isDone());

        reader.close();

        WriteHold written = outcome(writer);
        assertThat(written.token()).isGreaterThan(reader.token());
        stays(() -> !second.isDone() && !third.isDone() && !last.isDone());
        written.close();
        Hold a = outcome(second);
        Hold b = outcome(third);
        stays(() -> !last.isDone());
        a.close();
        stays(() -> !last.isDone());
        b.close();
        WriteHold after = outcome(last);
        assertThat(after.token()).isGreaterThan(b.token()).isGreaterThan(a.token());
        after.close();
        assertThat(here.queue()).isEmpty();
    }

    @Test
    void writer_leavesWhileItWaits_readersBehindItJoinThoseThatHold() throws Exception {
        DistributedReadWriteLock here = coordinator().readWriteLock("tck");
        DistributedReadWriteLock there = coordinator().readWriteLock("tck");
        try (Hold reader = here.read().acquire()) {
            CompletableFuture<WriteHold> writer = there.write().acquireAsync();
            standing(here, 2);
            CompletableFuture<Hold> behind = here.read().acquireAsync();
            CompletableFuture<Hold> further = there.read().acquireAsync();
            standing(here, 4);

            writer.cancel(true);

            outcome(behind).close();
            outcome(further).close();
            assertThat(reader.state()).isEqualTo(HoldState.HELD);
        }
    }

    @Test
    void readers_manyBehindAWriter_areAllLetInAtOnce() throws Exception {
        List<DistributedReadWriteLock> locks =
                List.of(coordinator().readWriteLock("tck"), coordinator().readWriteLock("tck"));
        WriteHold writer = locks.get(0).write().acquire();
        List<CompletableFuture<Hold>> waiting = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            waiting.add(locks.get(i % 2).read().acquireAsync());
        }
        standing(locks.get(0), 51);

        writer.close();

        List<Hold> holds = new ArrayList<>();
        for (CompletableFuture<Hold> reader : waiting) {
            holds.add(outcome(reader));
        }
        assertThat(holds).extracting(Hold::state).containsOnly(HoldState.HELD);
        CompletableFuture<WriteHold> next = locks.get(1).write().acquireAsync();
        holds.forEach(Hold::close);
        outcome(next).close();
    }

    @Test
    void downgrade_writerWaits_readersAreLetInAndTheWriterIsNot() throws Exception {
        Coordinator baton = coordinator();
        DistributedReadWriteLock here = baton.readWriteLock("tck");
        DistributedReadWriteLock there = coordinator().readWriteLock("tck");
        WriteHold writer = here.write().acquire();
        CompletableFuture<Hold> reader = there.read().acquireAsync();
        standing(here, 2);
        CompletableFuture<WriteHold> next = there.write().acquireAsync();
        standing(here, 3);
        CompletableFuture<Hold> late = here.read().acquireAsync();
        standing(here, 4);

        Hold kept = writer.downgrade();

        assertThat(kept.token()).isEqualTo(writer.token());
        assertThat(kept.state()).isEqualTo(HoldState.HELD);
        assertThat(writer.state()).isEqualTo(HoldState.RELEASED);
        writer.close();
        Hold beside = outcome(reader);
        stays(() -> !next.isDone() && !late.isDone());
        assertThat(here.queue()).extracting(QueueEntry::holder).containsExactly(true, true, false, false);
        assertThat(here.queue())
                .extracting(QueueEntry::claim)
                .containsExactly(Claim.SHARED, Claim.SHARED, Claim.EXCLUSIVE, Claim.SHARED);
        assertThat(baton.transact(List.of(Guard.held(kept)), List.of(Op.put(RECORD, "by the reader"))))
                .isTrue();
        assertThat(baton.transact(List.of(Guard.held(writer)), List.of(Op.put(RECORD, "by the writer"))))
                .isFalse();

        beside.close();
        stays(() -> !next.isDone());
        kept.close();
        WriteHold followed = outcome(next);
        assertThat(followed.token()).isGreaterThan(kept.token());
        followed.close();
        outcome(late).close();
    }

    @Test
    void downgrade_nobodyWaits_laterReadersShareAndLaterWritersWait() throws Exception {
        DistributedReadWriteLock here = coordinator().readWriteLock("tck");
        DistributedReadWriteLock there = coordinator().readWriteLock("tck");
        Hold kept = here.write().acquire().downgrade();
        Hold second = there.read().tryAcquire().orElseThrow();
        Hold third = there.read().acquire();
        assertThat(there.write().tryAcquire()).isEmpty();
        CompletableFuture<WriteHold> writer = there.write().acquireAsync();
        standing(here, 4);
        assertThat(here.read().tryAcquire()).as("a reader behind the writer").isEmpty();
        second.close();
        third.close();
        stays(() -> !writer.isDone());
        kept.close();
        outcome(writer).close();
    }

    @Test
    void downgrade_closedLostOrDowngradedBefore_isRefused() throws InterruptedException {
        DistributedReadWriteLock lock = coordinator().readWriteLock("tck");
        WriteHold closed = lock.write().acquire();
        closed.close();
        assertThatThrownBy(closed::downgrade).isInstanceOf(LockLostException.class);

        WriteHold twice = lock.write().acquire();
        try (Hold kept = twice.downgrade()) {
            assertThatThrownBy(twice::downgrade).isInstanceOf(LockLostException.class);
            assertThatThrownBy(() -> twice.ensureValid(Duration.ZERO)).isInstanceOf(LockLostException.class);
            assertThat(kept.state()).isEqualTo(HoldState.HELD);
        }
        assertThat(lock.queue()).isEmpty();
    }

    @Test
    void session_ofADowngradedWriterEnds_isLostAndTheNextWriterIsGranted() throws Exception {
        Coordinator dying = coordinator();
        DistributedReadWriteLock there = coordinator().readWriteLock("tck");
        Hold kept = dying.readWriteLock("tck").write().acquire().downgrade();
        Hold reader = there.read().acquire();
        CompletableFuture<WriteHold> writer = there.write().acquireAsync();
        standing(there, 3);

        dying.close();

        soon().until(() -> kept.state() != HoldState.HELD);
        stays(() -> !writer.isDone());
        reader.close();
        outcome(writer).close();
    }

    @Test
    void readers_andWritersOfManyThreads_excludeEachOther() throws Exception {
        List<DistributedReadWriteLock> locks =
                List.of(coordinator().readWriteLock("tck"), coordinator().readWriteLock("tck"));
        int[] balance = new int[2];
        List<Future<?>> working = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            DistributedReadWriteLock lock = locks.get(i % 2);
            boolean writes = i % 3 == 0;
            working.add(threads.submit(() -> {
                for (int round = 0; round < 15; round++) {
                    if (writes) {
                        write(lock, balance);
                    } else {
                        read(lock, balance);
                    }
                }
                return true;
            }));
        }
        for (Future<?> each : working) {
            outcome(each);
        }

        assertThat(balance).containsExactly(60, 60);
        assertThat(locks.get(0).queue()).isEmpty();
    }

    private static void write(DistributedReadWriteLock lock, int[] balance) throws InterruptedException {
        try (WriteHold hold = lock.write().acquire()) {
            int seen = balance[0];
            balance[0] = seen + 1;
            hold.ensureValid(Duration.ZERO);
            balance[1] = seen + 1;
        }
    }

    private static void read(DistributedReadWriteLock lock, int[] balance) throws InterruptedException {
        try (Hold hold = lock.read().acquire()) {
            int one = balance[0];
            int other = balance[1];
            hold.ensureValid(Duration.ZERO);
            assertThat(one).isEqualTo(other);
        }
    }

    @Test
    void removedByHand_aReader_isLostAndTheWriterBehindIsGranted() throws Exception {
        DistributedReadWriteLock here = coordinator().readWriteLock("tck");
        Hold reader = here.read().acquire();
        CompletableFuture<WriteHold> writer =
                coordinator().readWriteLock("tck").write().acquireAsync();
        standing(here, 2);
        TckClient looking = client();

        store().removeEntry(looking.ask(session -> session.peers(READ_WRITE)).get(0));

        soon().until(() -> reader.state() == HoldState.LOST);
        outcome(writer).close();
    }

    @Test
    void session_ofAWriterExpires_readersBehindAreGranted() throws Exception {
        WriteHold writer = coordinator().readWriteLock("tck").write().acquire();
        DistributedReadWriteLock there = coordinator().readWriteLock("tck");
        CompletableFuture<Hold> second = there.read().acquireAsync();
        CompletableFuture<Hold> third =
                coordinator().readWriteLock("tck").read().acquireAsync();
        standing(there, 3);
        TckClient looking = client();
        Peer first = looking.ask(session -> session.peers(READ_WRITE)).get(0);

        store().expire(looking.details(first).orElseThrow().session());

        try (Hold one = outcome(second);
                Hold other = outcome(third)) {
            soon().until(() -> writer.state() == HoldState.LOST);

            writer.close();

            assertThat(List.of(one, other)).extracting(Hold::state).containsOnly(HoldState.HELD);
            assertThat(there.queue())
                    .extracting(QueueEntry::token)
                    .containsExactlyInAnyOrder(one.token(), other.token());
            assertThat(there.write().tryAcquire()).isEmpty();
        }
        assertThat(there.queue()).isEmpty();
    }

    @Test
    void acquire_interrupted_leavesTheLine() throws Exception {
        DistributedReadWriteLock lock = coordinator().readWriteLock("tck");
        try (WriteHold writer = lock.write().acquire()) {
            isInterrupted(lock, () -> lock.read().acquire());
            isInterrupted(lock, () -> lock.write().acquire());
            assertThat(writer.state()).isEqualTo(HoldState.HELD);
        }
        assertThat(lock.queue()).isEmpty();
    }

    /** Interrupts an acquisition that waits behind one contender. */
    private void isInterrupted(DistributedReadWriteLock lock, ThrowingCallable acquisition) throws Exception {
        var thrown = new CompletableFuture<Throwable>();
        Future<?> waiting = threads.submit(() -> thrown.complete(catchThrowable(acquisition)));
        standing(lock, 2);

        waiting.cancel(true);

        assertThat(outcome(thrown)).isInstanceOf(InterruptedException.class);
        standing(lock, 1);
    }

    @Test
    @SuppressWarnings("LockNotBeforeTry")
    void asReadWriteLock_readInsideWrite_isDowngradedWhenTheWriteEndsFirst() throws Exception {
        DistributedReadWriteLock lock = coordinator().readWriteLock("tck");
        ReadWriteLock view = lock.asReadWriteLock();

        view.writeLock().lockInterruptibly();
        view.writeLock().lock();
        view.readLock().lock();
        assertThat(lock.queue()).hasSize(1);
        view.writeLock().unlock();
        assertThat(lock.read().tryAcquire()).isEmpty();
        view.writeLock().unlock();
        Optional<Hold> beside = lock.read().tryAcquire();
        assertThat(beside).isPresent();
        assertThat(lock.write().tryAcquire()).isEmpty();
        beside.orElseThrow().close();
        view.readLock().unlock();

        assertThat(lock.queue()).isEmpty();
        assertThatThrownBy(view.readLock()::unlock).isInstanceOf(IllegalMonitorStateException.class);
        assertThatThrownBy(view.writeLock()::unlock).isInstanceOf(IllegalMonitorStateException.class);
    }

    /** Unlocking does not fail, and the thread can lock again. */
    @Test
    @SuppressWarnings("LockNotBeforeTry")
    void asReadWriteLock_lostWhileBothAreHeld_isUnlockedAndUsableAgain() throws Exception {
        DistributedReadWriteLock lock = coordinator().readWriteLock("tck");
        ReadWriteLock view = lock.asReadWriteLock();
        view.writeLock().lock();
        view.readLock().lock();
        assertThat(coordinator().readWriteLock("tck").evict(lock.queue().get(0), "stuck"))
                .isTrue();
        soon().pollInSameThread().until(() -> {
            try {
                view.writeLock().lock(); // nested: throws once the loss is known
                view.writeLock().unlock();
                return false;
            } catch (LockLostException lost) {
                return true;
            }
        });

        view.writeLock().unlock();
        view.readLock().unlock();

        view.writeLock().lock();
        assertThat(lock.queue()).hasSize(1);
        view.writeLock().unlock();
    }

    @Test
    @SuppressWarnings("LockNotBeforeTry")
    void asReadWriteLock_writeInsideRead_isRefusedAtOnce() throws InterruptedException {
        ReadWriteLock view = coordinator().readWriteLock("tck").asReadWriteLock();
        view.readLock().lockInterruptibly();
        view.readLock().lock();

        assertThatThrownBy(view.writeLock()::lock)
                .isInstanceOf(IllegalMonitorStateException.class)
                .hasMessageContaining("unlock it first");
        assertThatThrownBy(view.writeLock()::tryLock).isInstanceOf(IllegalMonitorStateException.class);

        view.readLock().unlock();
        view.readLock().unlock();
        assertThat(view.writeLock().tryLock()).isTrue();
        view.writeLock().unlock();
    }

    @Test
    @SuppressWarnings("LockNotBeforeTry")
    void asReadWriteLock_otherThread_isExcludedAndMayNotUnlock() throws Exception {
        DistributedReadWriteLock lock = coordinator().readWriteLock("tck");
        ReadWriteLock view = lock.asReadWriteLock();
        view.writeLock().lock();

        assertThat(outcome(threads.submit(() -> view.readLock().tryLock(300, TimeUnit.MILLISECONDS))))
                .isFalse();
        assertThat(outcome(threads.submit(() -> view.writeLock().tryLock()))).isFalse();
        for (Lock each : List.of(view.writeLock(), view.readLock())) {
            Future<?> unlocking = threads.submit(each::unlock);
            assertThatThrownBy(() -> outcome(unlocking)).isInstanceOf(IllegalMonitorStateException.class);
        }

        assertThat(lock.read().tryAcquire()).as("the owner still holds it").isEmpty();
        view.writeLock().unlock();
        assertThat(lock.queue()).isEmpty();
    }

    @Test
    void readWriteLock_andLockOfTheSameName_areTwoLocks() throws InterruptedException {
        Coordinator baton = coordinator();
        DistributedLock mutex = baton.lock("tck");
        try (Hold hold = mutex.acquire();
                WriteHold writer = baton.readWriteLock("tck").write().acquire()) {
            assertThat(hold.state()).isEqualTo(writer.state()).isEqualTo(HoldState.HELD);
        }
    }

    private static void standing(DistributedReadWriteLock lock, int number) {
        soon().until(() -> lock.queue().size() == number);
    }

    private boolean closed(Hold hold) {
        hold.close();
        return true;
    }
}
