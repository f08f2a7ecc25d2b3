package io.baton.recipes.internal;

import io.baton.Hold;
import io.baton.HoldState;
import io.baton.PermitHold;
import io.baton.Subscription;
import io.baton.recipe.Callbacks;
import io.baton.recipe.Futures;
import io.baton.recipe.LineAcquisition;
import io.baton.recipe.RecipeContext;
import io.baton.recipes.Seat;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A seat: the hold of its lock, and a permit. If one of the two is lost, the seat is, and the other is given back. The
 * lock is always given back first. Any thread.
 *
 * <p>What the coordinator calls refers to it weakly, so that a seat that a program forgets is found as a forgotten
 * permit is.
 */
final class HeldSeat implements Seat {

    /** The worst comes first. */
    private static final List<HoldState> BY_WEIGHT =
            List.of(HoldState.LOST, HoldState.RELEASED, HoldState.JEOPARDY, HoldState.HELD);

    private final RecipeContext context;
    private final SeatHints hints;
    private final int number;
    private final Hold hold;
    private final LineAcquisition acquisition;
    private final PermitHold permit;
    private final CompletableFuture<Void> hint;
    private final AtomicReference<@Nullable HoldState> closed = new AtomicReference<>();
    private final AtomicBoolean leaving = new AtomicBoolean();
    private final CompletableFuture<Void> left = new CompletableFuture<>();
    private Subscription closing = () -> {};

    private HeldSeat(
            RecipeContext context,
            SeatHints hints,
            int number,
            Hold hold,
            LineAcquisition acquisition,
            PermitHold permit,
            CompletableFuture<Void> hint) {
        this.context = context;
        this.hints = hints;
        this.number = number;
        this.hold = hold;
        this.acquisition = acquisition;
        this.permit = permit;
        this.hint = hint;
    }

    /**
     * Makes a seat of a lock that was granted and a permit. On the loop.
     *
     * @param hint completes once the seat is said to be taken
     */
    static HeldSeat take(
            RecipeContext context,
            SeatHints hints,
            int number,
            Hold hold,
            LineAcquisition acquisition,
            PermitHold permit,
            CompletableFuture<Void> hint) {
        var seat = new HeldSeat(context, hints, number, hold, acquisition, permit, hint);
        var weak = new WeakReference<>(seat);
        seat.closing = context.beforeClosing(() -> leave(weak));
        for (Hold each : List.of(hold, permit)) {
            each.onLost(() -> {
                var unused = leave(weak);
            });
        }
        return seat;
    }

    private static CompletableFuture<Void> leave(WeakReference<HeldSeat> weak) {
        HeldSeat seat = weak.get();
        return seat == null ? CompletableFuture.completedFuture(null) : seat.leave();
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public long token() {
        return hold.token();
    }

    @Override
    public Duration remaining() {
        Duration lock = hold.remaining();
        Duration permitted = permit.remaining();
        return closed.get() != null ? Duration.ZERO : lock.compareTo(permitted) < 0 ? lock : permitted;
    }

    @Override
    public HoldState state() {
        HoldState last = closed.get();
        if (last != null) {
            return last;
        }
        List<HoldState> both = List.of(hold.state(), permit.state());
        return BY_WEIGHT.stream().filter(both::contains).findFirst().orElse(HoldState.RELEASED);
    }

    @Override
    public void ensureValid(Duration atLeast) {
        permit.ensureValid(atLeast);
        hold.ensureValid(atLeast);
    }

    @Override
    public Subscription onLost(Runnable listener) {
        var told = new AtomicBoolean();
        var over = closed;
        Runnable onceUnlessClosed = () -> {
            if (over.get() == null && told.compareAndSet(false, true)) {
                listener.run();
            }
        };
        Subscription ofLock = hold.onLost(onceUnlessClosed);
        Subscription ofPermit = permit.onLost(onceUnlessClosed);
        return () -> {
            ofLock.close();
            ofPermit.close();
        };
    }

    @Override
    public Hold hold() {
        return hold;
    }

    @Override
    public void close() {
        CompletableFuture<Void> done = release();
        if (!Callbacks.inside()) {
            Futures.awaitDone(context.closeTimeout(), done);
        }
    }

    @Override
    public CompletableFuture<Void> releaseAsync() {
        return context.callbacks().completeInCallback(release());
    }

    private CompletableFuture<Void> release() {
        closed.compareAndSet(null, state() == HoldState.LOST ? HoldState.LOST : HoldState.RELEASED);
        return leave();
    }

    private CompletableFuture<Void> leave() {
        if (leaving.compareAndSet(false, true)
                && !context.loop().post(() -> Futures.onDone(hint, (done, failure) -> clearHint()))) {
            left.complete(null); // both went with the coordinator's session
        }
        return left;
    }

    /** First of all, so that one that waits for the permit finds this seat by the hint. */
    private void clearHint() {
        boolean held = hold.state() == HoldState.HELD;
        Futures.onDone(
                held ? hints.write(hold, taken -> taken.clear(number)) : CompletableFuture.completedFuture(null),
                (done, failure) -> leaveLines());
    }

    /** The lock before the permit: with a permit, there is a seat. */
    private void leaveLines() {
        Futures.onDone(
                unlessLost(hold, acquisition::withdraw),
                (gone, failure) -> Futures.onDone(unlessLost(permit, permit::releaseAsync), (over, late) -> {
                    closing.close();
                    left.complete(null);
                }));
    }

    /** One that is lost leaves by itself, and tells its listeners only while it is not released. */
    private static CompletableFuture<Void> unlessLost(Hold hold, Supplier<CompletableFuture<Void>> release) {
        return hold.state() == HoldState.LOST ? CompletableFuture.completedFuture(null) : release.get();
    }

    @Override
    public String toString() {
        return "seat " + number + " (" + hold + ")";
    }
}
