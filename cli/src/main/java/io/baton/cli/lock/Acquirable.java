package io.baton.cli.lock;

import io.baton.DistributedLock;
import io.baton.DistributedSemaphore;
import io.baton.MultiLock;
import io.baton.WriteLock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** What a command is to hold: a lock, permits, or several locks together. */
final class Acquirable {

    /** Waits until it is held. */
    @FunctionalInterface
    interface Wait {
        Held acquire() throws InterruptedException;
    }

    /** Waits no longer than this, and not at all for zero. */
    @FunctionalInterface
    interface Attempt {
        Optional<Held> within(Duration timeout) throws InterruptedException;
    }

    /** Says for people why it is not held. */
    @FunctionalInterface
    interface Obstacle {
        String now() throws InterruptedException;
    }

    private final Obstacle obstacle;
    private final Wait wait;
    private final Attempt attempt;

    private Acquirable(String taken, Wait wait, Attempt attempt) {
        this(() -> taken, wait, attempt);
    }

    Acquirable(Obstacle obstacle, Wait wait, Attempt attempt) {
        this.obstacle = obstacle;
        this.wait = wait;
        this.attempt = attempt;
    }

    /** A lock, or the lock of the readers of a read/write lock. */
    static Acquirable lock(String name, DistributedLock lock, EvictionLookup evictions) {
        return new Acquirable(
                "'" + name + "' is taken",
                () -> new SingleHold(lock.acquire(), evictions),
                timeout -> lock.tryAcquire(timeout).map(hold -> new SingleHold(hold, evictions)));
    }

    /** A lock with options on which its contenders agree, and for which it may rest. */
    static Acquirable resting(DistributedLock lock, EvictionLookup evictions) {
        var delays = new Delays(lock);
        return new Acquirable(
                delays::obstacle,
                () -> delays.explained(() -> new SingleHold(lock.acquire(), evictions)),
                timeout ->
                        delays.explained(() -> lock.tryAcquire(timeout).map(hold -> new SingleHold(hold, evictions))));
    }

    /** The lock of the writers of a read/write lock. */
    static Acquirable write(String name, WriteLock lock, EvictionLookup evictions) {
        return new Acquirable(
                "'" + name + "' is taken",
                () -> new SingleHold(lock.acquire(), evictions),
                timeout -> lock.tryAcquire(timeout).map(hold -> new SingleHold(hold, evictions)));
    }

    /** So many permits of a semaphore that has this size. */
    static Acquirable permits(DistributedSemaphore semaphore, int permits, int size, EvictionLookup evictions) {
        var refusal = new SizeRefusal(semaphore, size);
        String are = permits == 1 ? "1 permit of '%s' is not free" : permits + " permits of '%s' are not free";
        return new Acquirable(
                are.formatted(semaphore.name()),
                () -> refusal.explained(() -> new SingleHold(semaphore.acquire(permits), evictions)),
                timeout -> refusal.explained(
                        () -> semaphore.tryAcquire(permits, timeout).map(hold -> new SingleHold(hold, evictions))));
    }

    /** The locks of these names, all or none. */
    static Acquirable all(List<String> names, MultiLock locks, EvictionLookup evictions) {
        return new Acquirable(
                "one of '" + String.join("', '", names) + "' is taken",
                () -> new SeveralHolds(names, locks.acquire(), evictions),
                timeout -> locks.tryAcquire(timeout).map(holds -> new SeveralHolds(names, holds, evictions)));
    }

    /** Says for people why it is not held. */
    String obstacle() throws InterruptedException {
        return obstacle.now();
    }

    /** Waits until it is held. */
    Held acquire() throws InterruptedException {
        return wait.acquire();
    }

    /** Waits no longer than this, and not at all for zero; empty if it is not held then. */
    Optional<Held> tryAcquire(Duration timeout) throws InterruptedException {
        return attempt.within(timeout);
    }
}
