package io.baton.internal.lock;

import io.baton.Hold;
import io.baton.recipe.Futures;
import io.baton.recipe.Resource;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Acquires holds of one resource: each call contends once, and leaves no state here. Any thread.
 *
 * @param <H> the holds, as the program gets them
 */
final class Acquirer<H extends Hold> {

    /** A wait of this length is as good as unlimited, and fits into nanoseconds. */
    private static final Duration LONGEST = Duration.ofDays(36_500);

    private final AcquireAttempts contest;
    private final LockParts parts;
    private final Function<Hold, H> as;

    /** Creates an acquirer whose attempts stand in the store each for itself; {@code as} as for the other one. */
    Acquirer(Resource resource, Entrant contender, LockParts parts, Function<Hold, H> as) {
        this((noWait, limit) -> parts.acquisitions().begin(resource, contender, noWait, limit), parts, as);
    }

    /**
     * Creates an acquirer.
     *
     * @param contest begins the attempts
     * @param as makes the program's hold from a handle
     */
    Acquirer(AcquireAttempts contest, LockParts parts, Function<Hold, H> as) {
        this.contest = contest;
        this.parts = parts;
        this.as = as;
    }

    H acquire() throws InterruptedException {
        return await(false, null).orElseThrow(IllegalStateException::new);
    }

    Optional<H> tryAcquire() throws InterruptedException {
        return await(true, parts.requestTimeout());
    }

    Optional<H> tryAcquire(Duration timeout) throws InterruptedException {
        if (timeout.isZero() || timeout.isNegative()) {
            return tryAcquire();
        }
        return await(false, bounded(timeout));
    }

    /** Returns the time limit, or one that is as good as unlimited. */
    static Duration bounded(Duration timeout) {
        return timeout.compareTo(LONGEST) < 0 ? timeout : LONGEST;
    }

    /** As {@link #acquire}, but an interrupt is kept for later. */
    H acquireUninterruptibly() {
        return uninterruptibly(false, null).orElseThrow(IllegalStateException::new);
    }

    /** As {@link #tryAcquire()}, but an interrupt is kept for later. */
    Optional<H> tryAcquireUninterruptibly() {
        return uninterruptibly(true, parts.requestTimeout());
    }

    private Optional<H> uninterruptibly(boolean noWait, @Nullable Duration limit) {
        return await(noWait, limit, attempt -> Futures.uninterruptibly(attempt.decision()));
    }

    private Optional<H> await(boolean noWait, @Nullable Duration limit) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        return await(noWait, limit, Acquirer::interruptibly);
    }

    /** Waits for the loop's decision on an attempt. */
    private interface Wait<X extends Exception> {
        Optional<FencedHold> on(AcquireAttempt attempt) throws X;
    }

    /** Returns the program's hold of what is granted. If that fails in any way, nothing stays held. */
    private <X extends Exception> Optional<H> await(boolean noWait, @Nullable Duration limit, Wait<X> wait) throws X {
        Function<FencedHold, H> handle = parts.handles().here().andThen(as);
        AcquireAttempt attempt = begin(noWait, limit);
        try {
            return wait.on(attempt).map(handle);
        } catch (Throwable noHandle) {
            attempt.cancel(); // a hold without a handle would stay until the coordinator closes
            throw noHandle;
        }
    }

    /** An interrupt makes the loop decide at once; a hold granted by then is returned. */
    private static Optional<FencedHold> interruptibly(AcquireAttempt attempt) throws InterruptedException {
        try {
            return Futures.interruptibly(attempt.decision());
        } catch (InterruptedException asked) {
            attempt.giveUp();
            Optional<FencedHold> decided = decidedIn(attempt, asked);
            if (decided.isEmpty()) {
                throw asked;
            }
            Thread.currentThread().interrupt();
            return decided;
        }
    }

    private static Optional<FencedHold> decidedIn(AcquireAttempt attempt, InterruptedException asked) {
        try {
            return Futures.uninterruptibly(attempt.decision());
        } catch (Throwable failedAnyway) {
            asked.addSuppressed(failedAnyway);
            return Optional.empty();
        }
    }

    CompletableFuture<H> acquireAsync() {
        return async(false, null, granted -> granted.orElse(null), Optional::ofNullable);
    }

    /** {@link #tryAcquire()} without a thread. */
    CompletableFuture<Optional<H>> tryAcquireAsync() {
        return async(
                true, parts.requestTimeout(), Function.identity(), given -> given == null ? Optional.empty() : given);
    }

    /**
     * Begins an attempt without a thread.
     *
     * @param result what the user's future completes with
     * @param hold the hold in such a result, if any
     */
    private <R> CompletableFuture<R> async(
            boolean noWait,
            @Nullable Duration limit,
            Function<Optional<H>, @Nullable R> result,
            Function<@Nullable R, Optional<H>> hold) {
        CompletableFuture<R> users = new CompletableFuture<>();
        Function<FencedHold, H> handle = parts.handles().here().andThen(as);
        try {
            follow(begin(noWait, limit), granted -> result.apply(granted.map(handle)), hold, users);
        } catch (Throwable tooMany) {
            users.completeExceptionally(tooMany);
        }
        return users;
    }

    private <R> void follow(
            AcquireAttempt attempt,
            Function<Optional<FencedHold>, @Nullable R> result,
            Function<@Nullable R, Optional<H>> hold,
            CompletableFuture<R> users) {
        // However the future is completed (by the user's cancel, orTimeout, ..., or a failure), the hold is not wanted.
        Futures.onDone(users, (given, failure) -> {
            boolean ours = failure == null
                    && hold.apply(given)
                            .flatMap(FencedHold::of)
                            .filter(fenced -> fenced.ownedBy(attempt))
                            .isPresent();
            if (!ours) {
                attempt.cancel();
            }
        });
        Futures.onDone(
                attempt.decision(),
                (granted, failure) -> parts.callbacks().runReliably(() -> {
                    if (failure != null) {
                        users.completeExceptionally(Futures.cause(failure));
                    } else {
                        handOut(attempt, granted, result, users);
                    }
                }));
    }

    private static <R> void handOut(
            AcquireAttempt attempt,
            Optional<FencedHold> granted,
            Function<Optional<FencedHold>, @Nullable R> result,
            CompletableFuture<R> users) {
        try {
            if (!users.complete(result.apply(granted))) {
                granted.ifPresent(FencedHold::release); // at once: a handle that nothing takes is no leak
                attempt.cancel();
            }
        } catch (Throwable noHandle) {
            users.completeExceptionally(noHandle); // and so gives the hold back
        }
    }

    private AcquireAttempt begin(boolean noWait, @Nullable Duration limit) {
        return contest.begin(noWait, limit);
    }
}
