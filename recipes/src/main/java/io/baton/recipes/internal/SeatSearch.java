package io.baton.recipes.internal;

import io.baton.CoordinationException;
import io.baton.Hold;
import io.baton.HoldState;
import io.baton.LockLostException;
import io.baton.PermitHold;
import io.baton.StoreUnavailableException;
import io.baton.Subscription;
import io.baton.recipe.Futures;
import io.baton.recipe.LineAcquisition;
import io.baton.recipe.RecipeContext;
import io.baton.recipe.Resource;
import io.baton.recipes.Seat;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A search for a free seat, by one who has a permit. It tries one seat after the other, those that are said to be free
 * first: it joins the line of the seat's lock, and leaves it if another entry stands ahead.
 *
 * <p>The permit belongs to the search, and then to the seat. If no seat is found, the search releases it. On the loop,
 * except where a method says otherwise.
 */
public final class SeatSearch {

    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(10);
    private static final int MOST_DOUBLINGS = 6;

    private final RecipeContext context;
    private final Room room;
    private final PermitHold permit;
    private final boolean once;

    private final CompletableFuture<Optional<Seat>> outcome = new CompletableFuture<>();
    private final ArrayDeque<Integer> untried = new ArrayDeque<>();
    private final BitSet foundTaken = new BitSet();
    private Subscription closing = () -> {};
    private Subscription losing = () -> {};
    private @Nullable LineAcquisition attempt;
    private int rounds;

    /**
     * Where seats are searched.
     *
     * @param name the name of the seats
     * @param first the number of the first one that is wanted
     * @param end the number after the last one
     * @param hints says which are taken
     */
    public record Room(String name, int first, int end, SeatHints hints) {

        Resource lock(int number) {
            return Resource.lock(name + "/" + number);
        }
    }

    private SeatSearch(RecipeContext context, Room room, PermitHold permit, boolean once) {
        this.context = context;
        this.room = room;
        this.permit = permit;
        this.once = once;
    }

    /** Begins a search that tries each seat once, and finds none if all are taken. Any thread. */
    public static SeatSearch once(RecipeContext context, Room room, PermitHold permit) {
        return begin(new SeatSearch(context, room, permit, true));
    }

    /** Begins a search that goes on until a seat is found. Any thread. */
    public static SeatSearch untilFound(RecipeContext context, Room room, PermitHold permit) {
        return begin(new SeatSearch(context, room, permit, false));
    }

    private static SeatSearch begin(SeatSearch search) {
        search.onLoop(search::start);
        return search;
    }

    /** Completes on the loop with the seat; empty if there is none, or the search was given up. */
    public CompletableFuture<Optional<Seat>> outcome() {
        return outcome;
    }

    /** Lets its time be over after this one. Any thread. */
    public SeatSearch endAfter(Duration limit) {
        onLoop(() -> context.loop().after(limit, this::timeOver));
        return this;
    }

    /** Ends the search: its time is over. Any thread. */
    public void timeOver() {
        onLoop(() -> {
            if (context.inContact()) {
                end(Optional.empty());
            } else {
                fail(new StoreUnavailableException(
                        "the store was not reached in the time to find one of the seats '" + room.name() + "'"));
            }
        });
    }

    /** Ends the search. A seat that has been found is given back. Any thread. */
    public void giveUp() {
        onLoop(() -> {
            end(Optional.empty());
            Futures.onDone(outcome, (found, failure) -> {
                if (failure == null) {
                    found.ifPresent(Seat::releaseAsync);
                }
            });
        });
    }

    private void onLoop(Runnable task) {
        ClosedCoordinator.onLoop(context, outcome, task);
    }

    private void start() {
        closing = ClosedCoordinator.fails(context, this::fail);
        losing = permit.onLost(() -> onLoop(() -> fail(permitLost())));
        round();
    }

    private void round() {
        Futures.onDone(room.hints().read(), (taken, failure) -> {
            int size = room.end() - room.first();
            int from = (int) Long.remainderUnsigned(context.loop().randomLong(), size);
            BitSet said = failure == null ? taken : new BitSet();
            IntStream rotated = IntStream.range(0, size).map(i -> room.first() + (from + i) % size);
            ArrayDeque<Integer> saidTaken = new ArrayDeque<>();
            rotated.forEach(number -> (said.get(number) ? saidTaken : untried).add(number));
            untried.addAll(saidTaken);
            next();
        });
    }

    private void next() {
        if (outcome.isDone()) {
            return;
        }
        if (permit.state() == HoldState.LOST) {
            fail(permitLost());
        } else if (!untried.isEmpty()) {
            attempt(untried.remove());
        } else if (once) {
            end(Optional.empty());
        } else {
            Duration pause = SHORTEST_PAUSE.multipliedBy(1L << Math.min(rounds++, MOST_DOUBLINGS));
            context.loop().after(context.loop().jittered(pause), this::round);
        }
    }

    private LockLostException permitLost() {
        return new LockLostException("the permit for the seats '" + room.name()
                + "' was lost while a free one was looked for; none is held");
    }

    private void attempt(int number) {
        var listener = new Attempt(this, number);
        try {
            LineAcquisition begun = context.lines().acquire(room.lock(number), UnaryOperator.identity(), listener);
            listener.acquisition = Optional.of(begun);
            attempt = begun;
        } catch (CoordinationException tooMany) {
            fail(tooMany);
        }
    }

    private void granted(int number, Hold hold, LineAcquisition acquisition) {
        attempt = null;
        if (outcome.isDone()) {
            var unused = acquisition.withdraw();
        } else if (permit.state() == HoldState.LOST) {
            var unused = acquisition.withdraw();
            fail(permitLost());
        } else {
            unsubscribe();
            foundTaken.set(number);
            CompletableFuture<Void> hint = room.hints().write(hold, taken -> taken.or(foundTaken));
            outcome.complete(
                    Optional.of(HeldSeat.take(context, room.hints(), number, hold, acquisition, permit, hint)));
        }
    }

    private void notGranted(int number, Optional<CoordinationException> why) {
        attempt = null;
        if (why.isEmpty() || why.get() instanceof LockLostException) {
            foundTaken.set(number);
            next();
        } else {
            fail(why.get());
        }
    }

    private void end(Optional<Seat> none) {
        if (outcome.complete(none)) {
            cleanUp();
        }
    }

    private void fail(Throwable why) {
        if (outcome.completeExceptionally(why)) {
            cleanUp();
        }
    }

    private void unsubscribe() {
        closing.close();
        losing.close();
    }

    private void cleanUp() {
        unsubscribe();
        LineAcquisition pending = attempt;
        if (pending == null) {
            var unused = permit.releaseAsync();
        } else {
            // The permit goes last, as with a seat.
            Futures.onDone(pending.withdraw(), (gone, failure) -> {
                var unused = permit.releaseAsync();
            });
        }
    }

    /**
     * An attempt to get one seat. It forgets the search once it is decided: the hold keeps this listener, and must not
     * keep a seat that the program has forgotten.
     */
    private static final class Attempt implements LineAcquisition.Listener {

        private final int number;
        private Optional<SeatSearch> search;
        private Optional<LineAcquisition> acquisition = Optional.empty();

        Attempt(SeatSearch search, int number) {
            this.search = Optional.of(search);
            this.number = number;
        }

        @Override
        public void waiting() {
            acquisition.ifPresent(LineAcquisition::withdraw);
        }

        @Override
        public void granted(Hold hold) {
            decided().ifPresent(by -> acquisition.ifPresent(its -> by.granted(number, hold, its)));
        }

        @Override
        public void notGranted(Optional<CoordinationException> why) {
            decided().ifPresent(by -> by.notGranted(number, why));
        }

        private Optional<SeatSearch> decided() {
            Optional<SeatSearch> by = search;
            search = Optional.empty();
            return by;
        }

        @Override
        public void changed(HoldState state, boolean inContact) {}
    }
}
