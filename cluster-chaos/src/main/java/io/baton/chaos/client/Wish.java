package io.baton.chaos.client;

import io.baton.Coordinator;
import io.baton.Hold;
import io.baton.LockOptions;
import io.baton.MultiHold;
import io.baton.PermitHold;
import io.baton.WriteHold;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Something that a contender wants, and how {@link WayToAsk} asks for it.
 *
 * @param baton who asks for it
 * @param names of what it consists, in the order in which it is acquired
 * @param acquire waits as long as it takes
 * @param tryAcquire waits no longer than this
 * @param acquireAsync waits without blocking
 * @param held what it is once it is granted
 */
record Wish<H>(
        Coordinator baton,
        List<String> names,
        Patiently<H> acquire,
        Within<H> tryAcquire,
        Supplier<CompletableFuture<H>> acquireAsync,
        Function<H, GrantedHolds> held) {

    private static final int MOST_PERMITS = 3;

    /** Waits. */
    interface Patiently<H> {
        H acquire() throws InterruptedException;
    }

    /** Waits for some time; nothing if it was in vain. */
    interface Within<H> {
        Optional<H> acquire(Duration timeout) throws InterruptedException;
    }

    /** Asks for it. */
    Optional<GrantedHolds> ask(WayToAsk how, Random random) throws InterruptedException {
        return how.ask(this, random).map(held);
    }

    /**
     * A lock with or without options in most cases, otherwise a read/write lock, permits of a semaphore, or several
     * locks.
     *
     * @param shared the coordinator by which contenders share places in line
     */
    static Wish<?> any(Coordinator baton, Coordinator shared, LockNames names, Random random) {
        int of = random.nextInt(20);
        if (of < 8 || (of > 17 && names.count() < 2)) {
            return lock(baton, one(names.locks(), random));
        }
        if (of < 10) {
            return lock(shared, one(List.copyOf(names.cohorts().entrySet()), random));
        }
        if (of < 12) {
            return lock(baton, one(List.copyOf(names.resting().entrySet()), random));
        }
        if (of < 15) {
            String name = one(names.readWriteLocks(), random);
            return random.nextBoolean() ? reader(baton, name) : writer(baton, name);
        }
        if (of < 18) {
            var semaphore = one(List.copyOf(names.semaphores().entrySet()), random);
            return permits(baton, semaphore, 1 + random.nextInt(MOST_PERMITS));
        }
        List<String> some = new ArrayList<>(names.locks());
        Collections.shuffle(some, random);
        return together(baton, some.subList(0, Math.min(some.size(), 2 + random.nextInt(2))));
    }

    private static Wish<Hold> lock(Coordinator baton, String name) {
        var lock = baton.lock(name);
        return new Wish<>(
                baton, List.of(name), lock::acquire, lock::tryAcquire, lock::acquireAsync, GrantedHolds::exclusive);
    }

    private static Wish<Hold> lock(Coordinator baton, Map.Entry<String, LockOptions> named) {
        LockOptions options = named.getValue();
        var lock = baton.lock(named.getKey(), options);
        return new Wish<>(
                baton,
                List.of(named.getKey()),
                lock::acquire,
                lock::tryAcquire,
                lock::acquireAsync,
                hold -> GrantedHolds.exclusive(hold, options));
    }

    private static Wish<Hold> reader(Coordinator baton, String name) {
        var lock = baton.readWriteLock(name).read();
        return new Wish<>(
                baton, List.of(name), lock::acquire, lock::tryAcquire, lock::acquireAsync, GrantedHolds::shared);
    }

    private static Wish<WriteHold> writer(Coordinator baton, String name) {
        var lock = baton.readWriteLock(name).write();
        return new Wish<>(
                baton, List.of(name), lock::acquire, lock::tryAcquire, lock::acquireAsync, GrantedHolds::exclusive);
    }

    private static Wish<PermitHold> permits(Coordinator baton, Map.Entry<String, Integer> sized, int permits) {
        var semaphore = baton.semaphore(sized.getKey(), sized.getValue());
        return new Wish<>(
                baton,
                List.of(sized.getKey()),
                () -> semaphore.acquire(permits),
                timeout -> semaphore.tryAcquire(permits, timeout),
                () -> semaphore.acquireAsync(permits),
                hold -> GrantedHolds.permits(hold, sized.getValue()));
    }

    private static Wish<MultiHold> together(Coordinator baton, List<String> names) {
        var locks = baton.multiLock(names);
        return new Wish<>(
                baton, locks.names(), locks::acquire, locks::tryAcquire, locks::acquireAsync, GrantedHolds::together);
    }

    private static <T> T one(List<T> of, Random random) {
        return of.get(random.nextInt(of.size()));
    }
}
