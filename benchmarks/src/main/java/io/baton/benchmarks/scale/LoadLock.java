package io.baton.benchmarks.scale;

import io.baton.Coordinator;
import io.baton.DistributedReadWriteLock;
import io.baton.Hold;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;

/** What kind of lock is waited for. */
enum LoadLock {
    /** A lock of one holder. */
    LOCK {
        @Override
        CompletableFuture<? extends Hold> acquireAll(Coordinator baton, String name) {
            return baton.lock(name).acquireAsync();
        }

        @Override
        CompletableFuture<? extends Hold> acquire(Coordinator baton, String name, int number) {
            return acquireAll(baton, name);
        }
    },
    /** A read/write lock; one of five waiters writes. */
    READ_WRITE {
        @Override
        CompletableFuture<? extends Hold> acquireAll(Coordinator baton, String name) {
            return baton.readWriteLock(name).write().acquireAsync();
        }

        @Override
        CompletableFuture<? extends Hold> acquire(Coordinator baton, String name, int number) {
            DistributedReadWriteLock lock = baton.readWriteLock(name);
            return number % WRITER_EVERY == 0
                    ? lock.write().acquireAsync()
                    : lock.read().acquireAsync();
        }
    },
    /** A read/write lock for which only readers wait. */
    READERS {
        @Override
        CompletableFuture<? extends Hold> acquireAll(Coordinator baton, String name) {
            return READ_WRITE.acquireAll(baton, name);
        }

        @Override
        CompletableFuture<? extends Hold> acquire(Coordinator baton, String name, int number) {
            return baton.readWriteLock(name).read().acquireAsync();
        }
    },
    /** A semaphore of 100 permits; each waiter wants one. */
    PERMITS {
        @Override
        CompletableFuture<? extends Hold> acquireAll(Coordinator baton, String name) {
            return baton.semaphore(name, SIZE).acquireAsync(SIZE);
        }

        @Override
        CompletableFuture<? extends Hold> acquire(Coordinator baton, String name, int number) {
            return baton.semaphore(name, SIZE).acquireAsync(1);
        }
    };

    private static final int WRITER_EVERY = 5;
    private static final int SIZE = 100;

    /** Acquires the lock for one holder alone. */
    abstract CompletableFuture<? extends Hold> acquireAll(Coordinator baton, String name);

    /** Acquires it as a waiter of this number does. */
    abstract CompletableFuture<? extends Hold> acquire(Coordinator baton, String name, int number);

    /** As in a command to a client. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    static LoadLock of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }
}
