package io.baton.recipes;

import io.baton.CheckReturnValue;
import io.baton.Coordinator;
import io.baton.DistributedSemaphore;
import io.baton.PermitHold;
import io.baton.RecordKey;
import io.baton.recipe.Futures;
import io.baton.recipe.RecipeContext;
import io.baton.recipes.internal.SeatHints;
import io.baton.recipes.internal.SeatRequest;
import io.baton.recipes.internal.SeatSearch;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Numbered places, each of which one process has at a time: for worker ids of a generator of unique numbers, ports, or
 * shards.
 *
 * <pre>{@code
 * Seats workerIds = Seats.named(baton, "worker-id", 1024);
 * Seat seat = workerIds.take();
 * generator.start(seat.number());
 * seat.onLost(generator::stop);
 * }</pre>
 *
 * <p><b>How it works.</b> A seat is the lock {@code name/number}, held with a permit of the semaphore {@code name}, which
 * has as many permits as there are seats. A process acquires the permit first, and then looks for a free seat. It gives
 * back the lock first, and then the permit. If one of the two is lost, the seat is lost, and the other is given back.
 *
 * <ul>
 *   <li><i>A seat is never had twice:</i> it is a lock. Permits are not needed for that, and may be too many or too few.
 *   <li><i>With a permit, there is a seat:</i> each seat that is taken has a permit of its own, so those that have the
 *       other permits leave one free. Both parts belong to one session and go with it. The only exception is a permit
 *       that was removed alone, for example by an eviction: its owner finds that at its next heartbeat at the latest, and
 *       gives the seat back. Until then, one that has a permit may find all seats taken. It looks again after a pause
 *       that begins at 10 ms and doubles up to 640 ms.
 *   <li><i>Waiting is fair and does not poll:</i> it is waiting for the permit.
 * </ul>
 *
 * <p><b>Hints.</b> A record in the tree {@link #TREE} says which seats are taken, so that usually the first attempt finds
 * a free one. It may be wrong, as after a process was killed. That costs attempts, of two writes each.
 *
 * <p><b>Guarantees.</b> Those of {@link Seat}. <b>Not guaranteed.</b> The work under a seat may last longer than the
 * seat, as with a {@link io.baton.Hold}. A generator of numbers should stop when {@link Seat#remaining()} is over.
 *
 * <p><b>The number of seats</b> is the size of the semaphore, and fails as {@link DistributedSemaphore} does if another
 * program has set another one.
 *
 * <p><b>Cost.</b> Taking a free seat: the acquisition of a permit and a lock, and a read. Giving it back: a read, a write
 * and two removals, one after the other. The object keeps no state. Any thread may use it.
 *
 * <p><b>Failures.</b> As {@link DistributedSemaphore}, and {@link io.baton.LockLostException} if the permit is lost while
 * a free seat is looked for; nothing is held then.
 */
public final class Seats {

    /** The tree of records that say which seats are taken, one by the name of the seats; they stay there. */
    public static final String TREE = "baton.seats";

    /** The most seats of one name. */
    public static final int MAX_SEATS = 65_536;

    /** A wait of this length is as good as unlimited, and fits into nanoseconds. */
    private static final Duration LONGEST = Duration.ofDays(36_500);

    private final String name;
    private final int number;
    private final RecipeContext context;
    private final DistributedSemaphore permits;
    private final SeatHints hints;

    private Seats(String name, int number, RecipeContext context, DistributedSemaphore permits) {
        this.name = name;
        this.number = number;
        this.context = context;
        this.permits = permits;
        this.hints = new SeatHints(context, new RecordKey(TREE, name));
    }

    /**
     * Returns the seats of this name, {@code 0} to {@code number - 1}. Does not contact the store.
     *
     * @param name any non-empty string; with the number of a seat it has at most {@link io.baton.spi.Names#MAX_BYTES}
     *     bytes in UTF-8
     * @param number how many there are, from 1 to {@link #MAX_SEATS}; the same in all programs
     */
    public static Seats named(Coordinator coordinator, String name, int number) {
        if (number < 1 || number > MAX_SEATS) {
            throw new IllegalArgumentException("there can be 1 to " + MAX_SEATS + " seats, not " + number);
        }
        RecipeContext context = RecipeContext.of(coordinator, "seats");
        coordinator.lock(name + "/" + (number - 1));
        return new Seats(name, number, context, coordinator.semaphore(name, number));
    }

    /** Returns the name of the seats. */
    public String name() {
        return name;
    }

    /** Returns how many seats there are. */
    public int number() {
        return number;
    }

    /**
     * Waits until a seat is free, and takes it.
     *
     * @throws InterruptedException if interrupted while waiting; nothing is held
     */
    @CheckReturnValue
    public Seat take() throws InterruptedException {
        return outcome(SeatSearch.untilFound(context, all(), permits.acquire()))
                .orElseThrow(IllegalStateException::new);
    }

    /**
     * Waits until a seat is free, but no longer than this, and takes it.
     *
     * @param timeout how long to wait; zero or less is {@link #tryTake()}
     * @return empty if the time has passed
     * @throws io.baton.StoreUnavailableException if the store was not reached in this time
     */
    @CheckReturnValue
    public Optional<Seat> take(Duration timeout) throws InterruptedException {
        if (timeout.isZero() || timeout.isNegative()) {
            return tryTake();
        }
        Duration bounded = timeout.compareTo(LONGEST) < 0 ? timeout : LONGEST;
        long begun = context.loop().nanoTime();
        Optional<PermitHold> permit = permits.tryAcquire(1, bounded);
        if (permit.isEmpty()) {
            return Optional.empty();
        }
        Duration left = bounded.minusNanos(context.loop().nanoTime() - begun);
        return within(left, SeatSearch.untilFound(context, all(), permit.get()));
    }

    /**
     * Waits without blocking a thread. The future completes on a callback thread. Cancelling it ends the wait; a seat
     * that is taken in the same moment is given back. With a time limit: {@code takeAsync().orTimeout(1, MINUTES)},
     * which fails with a {@link java.util.concurrent.TimeoutException} where {@link #take(Duration)} is empty.
     */
    @CheckReturnValue
    public CompletableFuture<Seat> takeAsync() {
        return SeatRequest.take(
                permits.acquireAsync(1), permit -> SeatSearch.untilFound(context, all(), permit), context.callbacks());
    }

    /**
     * Takes a seat if one is free and nobody waits.
     *
     * @return empty if none is
     * @throws io.baton.StoreUnavailableException if the store does not answer within the request timeout
     */
    @CheckReturnValue
    public Optional<Seat> tryTake() throws InterruptedException {
        return tryTake(all());
    }

    /**
     * Takes this seat if it is free and nobody waits for one.
     *
     * @param wanted the number of the seat
     * @return empty if it is taken
     * @throws IllegalArgumentException if there is no such seat
     * @throws io.baton.StoreUnavailableException if the store does not answer within the request timeout
     */
    @CheckReturnValue
    public Optional<Seat> tryTake(int wanted) throws InterruptedException {
        return tryTake(only(wanted));
    }

    /** {@link #tryTake()} without blocking a thread. Cancelling the future gives up, as with {@link #takeAsync}. */
    @CheckReturnValue
    public CompletableFuture<Optional<Seat>> tryTakeAsync() {
        return tryTakeAsync(all());
    }

    /** {@link #tryTake(int)} without blocking a thread. Cancelling the future gives up, as with {@link #takeAsync}. */
    @CheckReturnValue
    public CompletableFuture<Optional<Seat>> tryTakeAsync(int wanted) {
        return tryTakeAsync(only(wanted));
    }

    private CompletableFuture<Optional<Seat>> tryTakeAsync(SeatSearch.Room room) {
        return SeatRequest.tryTake(
                permits.tryAcquireAsync(1),
                permit -> SeatSearch.once(context, room, permit).endAfter(context.requestTimeout()),
                context.callbacks());
    }

    private SeatSearch.Room only(int wanted) {
        if (wanted < 0 || wanted >= number) {
            throw new IllegalArgumentException(
                    "there is no seat " + wanted + " among the " + number + " of '" + name + "', 0 to " + (number - 1));
        }
        return new SeatSearch.Room(name, wanted, wanted + 1, hints);
    }

    private Optional<Seat> tryTake(SeatSearch.Room room) throws InterruptedException {
        Optional<PermitHold> permit = permits.tryAcquire(1);
        return permit.isEmpty()
                ? Optional.empty()
                : within(context.requestTimeout(), SeatSearch.once(context, room, permit.get()));
    }

    private SeatSearch.Room all() {
        return new SeatSearch.Room(name, 0, number, hints);
    }

    private static Optional<Seat> within(Duration limit, SeatSearch search) throws InterruptedException {
        if (!Futures.awaitDone(limit, search.outcome())
                && !Thread.currentThread().isInterrupted()) {
            search.timeOver();
        }
        return outcome(search);
    }

    private static Optional<Seat> outcome(SeatSearch search) throws InterruptedException {
        try {
            return Futures.interruptibly(search.outcome());
        } catch (InterruptedException interrupted) {
            search.giveUp();
            throw interrupted;
        }
    }

    @Override
    public String toString() {
        return number + " seats '" + name + "'";
    }
}
