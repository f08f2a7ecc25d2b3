package io.baton.internal.lock;

import io.baton.DistributedLock;
import io.baton.Hold;
import io.baton.HoldState;
import io.baton.LockLostException;
import io.baton.MultiHold;
import io.baton.MultiLock;
import io.baton.StoreUnavailableException;
import io.baton.recipe.Futures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Several locks as one. They are acquired one after the other in the order of their paths in the store, so that
 * programs that use some of the same locks never wait for each other in a circle. Any thread.
 */
public final class DefaultMultiLock implements MultiLock {

    private final List<DistributedLock> locks;
    private final LongSupplier nanoTime;
    private final Duration closeTimeout;

    /** Creates the locks as one; they are acquired in this order. */
    public DefaultMultiLock(List<DistributedLock> locks, LongSupplier nanoTime, Duration closeTimeout) {
        this.closeTimeout = closeTimeout;
        this.locks = List.copyOf(locks);
        this.nanoTime = nanoTime;
    }

    @Override
    public List<String> names() {
        return locks.stream().map(DistributedLock::name).toList();
    }

    @Override
    public MultiHold acquire() throws InterruptedException {
        return all((lock, held) -> Optional.of(lock.acquire())).orElseThrow(IllegalStateException::new);
    }

    @Override
    public Optional<MultiHold> tryAcquire(Duration timeout) throws InterruptedException {
        if (timeout.isZero() || timeout.isNegative()) {
            return all((lock, held) -> lock.tryAcquire());
        }
        long begun = nanoTime.getAsLong();
        return all((lock, held) -> {
            // The first one is asked for in any case.
            Duration left = held.isEmpty() ? timeout : timeout.minusNanos(nanoTime.getAsLong() - begun);
            return left.isZero() || left.isNegative() ? noTimeLeft(lock, held) : lock.tryAcquire(left);
        });
    }

    /** Fails if the store went out of reach since the last one was granted, which may be why the time is over. */
    private static Optional<Hold> noTimeLeft(DistributedLock next, List<Hold> held) {
        checkNoneIsLost(held);
        if (held.stream().anyMatch(hold -> hold.state() == HoldState.JEOPARDY)) {
            throw new StoreUnavailableException("the store went out of reach, and the time was over before lock '"
                    + next.name() + "' was asked for; none of the locks is held");
        }
        return Optional.empty();
    }

    /** Acquires one of the locks, if there is time left; those before it are held. */
    private interface Step {
        Optional<Hold> acquire(DistributedLock lock, List<Hold> held) throws InterruptedException;
    }

    private Optional<MultiHold> all(Step step) throws InterruptedException {
        var holds = new ArrayList<Hold>();
        boolean complete = false;
        try {
            for (DistributedLock lock : locks) {
                Optional<Hold> hold = step.acquire(lock, holds);
                if (hold.isEmpty()) {
                    return Optional.empty();
                }
                holds.add(hold.get());
            }
            MultiHold all = complete(holds);
            complete = true;
            return Optional.of(all);
        } finally {
            if (!complete) {
                DefaultMultiHold.releaseAll(holds, closeTimeout);
            }
        }
    }

    private MultiHold complete(List<Hold> holds) {
        checkNoneIsLost(holds);
        return new DefaultMultiHold(holds, closeTimeout);
    }

    private static void checkNoneIsLost(List<Hold> holds) {
        for (Hold hold : holds) {
            if (hold.state() == HoldState.LOST) {
                throw new LockLostException(hold + " was lost while the others were acquired; none of them is held");
            }
        }
    }

    @Override
    public CompletableFuture<MultiHold> acquireAsync() {
        return new Course().begin();
    }

    /** One acquisition without a thread. Each step runs on a callback thread, where the one before has completed. */
    private final class Course {

        private final CompletableFuture<MultiHold> users = new CompletableFuture<>();
        private final List<Hold> holds = new ArrayList<>();
        private @Nullable CompletableFuture<Hold> step;
        private boolean over;

        CompletableFuture<MultiHold> begin() {
            // However the user completes it (cancel, orTimeout, ...), the holds are not wanted.
            Futures.onDone(users, (all, failure) -> giveUp());
            next();
            return users;
        }

        private void next() {
            CompletableFuture<Hold> begun;
            synchronized (this) {
                if (over) {
                    return;
                }
                begun = locks.get(holds.size()).acquireAsync();
                step = begun;
            }
            Futures.onDone(begun, (hold, failure) -> {
                if (failure != null) {
                    users.completeExceptionally(Futures.cause(failure));
                } else {
                    acquired(hold);
                }
            });
        }

        private void acquired(Hold hold) {
            boolean all;
            synchronized (this) {
                if (over) {
                    release(List.of(hold));
                    return;
                }
                holds.add(hold);
                step = null;
                all = holds.size() == locks.size();
                over = all;
            }
            if (all) {
                done();
            } else {
                next();
            }
        }

        private void done() {
            try {
                if (!users.complete(complete(holds))) {
                    release(holds);
                }
            } catch (LockLostException lost) {
                release(holds);
                users.completeExceptionally(lost);
            }
        }

        /** However the user completes it (cancel, orTimeout, ...), the holds are not wanted. */
        private void giveUp() {
            CompletableFuture<Hold> pending;
            synchronized (this) {
                if (over) {
                    return;
                }
                over = true;
                pending = step;
            }
            if (pending != null) {
                pending.cancel(false);
            }
            release(holds);
        }

        private static void release(List<Hold> holds) {
            holds.forEach(hold -> {
                var unused = hold.releaseAsync();
            });
        }
    }
}
