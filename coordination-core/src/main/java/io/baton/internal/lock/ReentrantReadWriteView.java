package io.baton.internal.lock;

import io.baton.CoordinationException;
import io.baton.Hold;
import io.baton.WriteHold;
import io.baton.recipe.Futures;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * A read/write lock that threads own, on top of holds that no thread owns. A thread's nested acquisitions share its
 * hold. A reader's nested in a writer's shares the writer's hold, which is downgraded if the writer's ends first.
 */
final class ReentrantReadWriteView implements ReadWriteLock {

    private final String name;
    private final Lock readLock;
    private final Lock writeLock;

    // Per adapter, since each adapter has owners of its own; removed with the last unlock.
    @SuppressWarnings("ThreadLocalUsage")
    private final ThreadLocal<@Nullable Owned> owned = new ThreadLocal<>();

    ReentrantReadWriteView(String name, Acquirer<Hold> read, Acquirer<WriteHold> write) {
        this.name = name;
        this.readLock = new Side<>(read, this::readAgain, this::unlockRead) {
            @Override
            void entered(Hold hold) {
                Owned mine = new Owned();
                mine.reader = hold;
                mine.reads = 1;
                owned.set(mine);
            }
        };
        this.writeLock = new Side<>(write, this::writeAgain, this::unlockWrite) {
            @Override
            void entered(WriteHold hold) {
                Owned mine = new Owned();
                mine.writer = hold;
                mine.writes = 1;
                owned.set(mine);
            }
        };
    }

    @Override
    public Lock readLock() {
        return readLock;
    }

    @Override
    public Lock writeLock() {
        return writeLock;
    }

    private boolean readAgain() {
        Owned mine = owned.get();
        if (mine == null) {
            return false;
        }
        mine.hold().ensureValid(Duration.ZERO);
        mine.reads++;
        return true;
    }

    private boolean writeAgain() {
        Owned mine = owned.get();
        if (mine == null) {
            return false;
        }
        if (mine.writer == null) {
            throw new IllegalMonitorStateException("this thread holds the read lock of '" + name
                    + "', which cannot become the write lock: unlock it first, and check again what was read");
        }
        mine.hold().ensureValid(Duration.ZERO);
        mine.writes++;
        return true;
    }

    private void unlockRead() {
        Owned mine = owned.get();
        if (mine == null || mine.reads == 0) {
            throw new IllegalMonitorStateException("this thread does not hold the read lock of '" + name + "'");
        }
        mine.reads--;
        endUnlessHeld(mine);
    }

    private void unlockWrite() {
        Owned mine = owned.get();
        if (mine == null || mine.writes == 0) {
            throw new IllegalMonitorStateException("this thread does not hold the write lock of '" + name + "'");
        }
        mine.writes--;
        WriteHold writer = mine.writer;
        if (mine.writes == 0 && mine.reads > 0 && writer != null) {
            mine.writer = null;
            mine.reader = writer; // the hold behind it, which nobody else sees, goes on
            downgrade(writer);
        }
        endUnlessHeld(mine);
    }

    /**
     * Unlocking does not fail, and cannot be interrupted. If the store refuses, nothing is held, and the next check says
     * so.
     */
    private static void downgrade(WriteHold writer) {
        FencedHold hold = FencedHold.of(writer).orElseThrow(IllegalStateException::new);
        try {
            Futures.uninterruptibly(hold.downgrade());
        } catch (CoordinationException refused) {
            var unused = writer.releaseAsync();
        }
    }

    private void endUnlessHeld(Owned mine) {
        if (mine.reads + mine.writes == 0) {
            owned.remove();
            mine.hold().close();
        }
    }

    /** What a thread owns: one hold, and how often it entered. */
    private static final class Owned {

        private @Nullable Hold reader;
        private @Nullable WriteHold writer;
        private int reads;
        private int writes;

        private Hold hold() {
            Hold hold = writer == null ? reader : writer;
            if (hold == null) {
                throw new IllegalStateException("no hold");
            }
            return hold;
        }
    }

    /** Enters again with the thread's hold, if it has one. */
    private interface Again {
        boolean enter();
    }

    /** One of the two locks. */
    private abstract static class Side<H extends Hold> implements Lock {

        private final Acquirer<H> acquirer;
        private final Again again;
        private final Runnable unlock;

        private Side(Acquirer<H> acquirer, Again again, Runnable unlock) {
            this.acquirer = acquirer;
            this.again = again;
            this.unlock = unlock;
        }

        abstract void entered(H hold);

        @Override
        public void lock() {
            if (!again.enter()) {
                entered(acquirer.acquireUninterruptibly());
            }
        }

        @Override
        public void lockInterruptibly() throws InterruptedException {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            if (!again.enter()) {
                entered(acquirer.acquire());
            }
        }

        @Override
        public boolean tryLock() {
            return again.enter() || enteredIf(acquirer.tryAcquireUninterruptibly());
        }

        @Override
        public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            return again.enter() || enteredIf(acquirer.tryAcquire(Duration.ofNanos(unit.toNanos(time))));
        }

        private boolean enteredIf(Optional<H> hold) {
            hold.ifPresent(this::entered);
            return hold.isPresent();
        }

        @Override
        public void unlock() {
            unlock.run();
        }

        @Override
        public Condition newCondition() {
            throw new UnsupportedOperationException("a distributed lock has no conditions");
        }
    }
}
