package io.baton.internal.lock;

import io.baton.CoordinationException;
import io.baton.SessionLostException;
import io.baton.StoreUnavailableException;
import io.baton.Telemetry.NotGranted.Reason;
import io.baton.internal.lock.AcquisitionMachine.Effect;
import io.baton.internal.lock.AcquisitionMachine.Event;
import io.baton.internal.lock.AcquisitionMachine.Patience;
import io.baton.internal.lock.AcquisitionMachine.State;
import io.baton.internal.lock.AcquisitionMachine.Step;
import io.baton.internal.lock.AcquisitionMachine.Validity;
import io.baton.recipe.Futures;
import io.baton.recipe.RecipeContext;
import io.baton.recipe.Resource;
import io.baton.recipe.Texts;
import io.baton.spi.Entry;
import io.baton.spi.Link;
import io.baton.spi.Loop;
import io.baton.spi.Place;
import io.baton.spi.PlaceListener;
import io.baton.spi.Proof;
import io.baton.spi.Session;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Carries out what {@link AcquisitionMachine} says for one acquisition: joins, grants, watches the deadline, leaves.
 * On the loop, except the methods that say so.
 */
final class Acquisition implements FencedHold.Owner {

    private static final Loop.Timer NONE = () -> {};

    private final Acquisitions all;
    private final Resource lock;
    private final UnaryOperator<byte[]> payload;
    private final Patience patience;
    private final @Nullable Duration limit;
    private final AcquisitionTelemetry journal;
    private final CompletableFuture<Optional<FencedHold>> decision = new CompletableFuture<>();
    private final CompletableFuture<Void> removed = new CompletableFuture<>();

    private State state = State.WAITING;
    private Loop.Timer limitTimer = NONE;
    private Loop.Timer deadlineTimer = NONE;
    private boolean answered;
    private Runnable whenWaiting = () -> {};
    private @Nullable Session session;
    private @Nullable Stand stand;
    private @Nullable Place place;
    private @Nullable Entry mine;
    private @Nullable FencedHold hold;
    private @Nullable CoordinationException why;

    Acquisition(
            Acquisitions all,
            Resource lock,
            UnaryOperator<byte[]> payload,
            Patience patience,
            @Nullable Duration limit) {
        this.all = all;
        this.lock = lock;
        this.payload = payload;
        this.patience = patience;
        this.limit = limit;
        this.journal = all.journal(lock.label());
    }

    /** The hold; empty if given up (time limit, others ahead, cancelled); or why it failed. Completes on the loop. */
    CompletableFuture<Optional<FencedHold>> decision() {
        return decision;
    }

    /** Completes on the loop once an entry that was to be removed is gone; fails if that stays unknown. */
    CompletableFuture<Void> removal() {
        return removed;
    }

    /** Runs each time it has joined, in whatever session, and stands behind others. On the loop, before it begins. */
    void whenWaiting(Runnable task) {
        whenWaiting = task;
    }

    /** Gives up, unless granted by then; {@link #decision} tells. Any thread. */
    void giveUp() {
        all.loop().post(() -> {
            if (state != State.HELD) {
                on(Event.CANCEL);
            }
        });
    }

    /** Gives up, and gives the hold back if there is one: nobody will take it. Any thread. */
    void cancel() {
        all.loop().post(() -> on(Event.CANCEL));
    }

    // ---- FencedHold.Owner, any thread

    @Override
    public void expired() {
        all.loop().post(() -> on(Event.TIMER));
    }

    @Override
    public void doubted() {
        all.loop().post(() -> {
            if (state == State.HELD && session != null && hold != null) {
                tell(hold);
                session.prove();
            }
        });
    }

    @Override
    public CompletableFuture<Void> release() {
        all.loop().post(() -> on(Event.CLOSE));
        return removed;
    }

    // ---- the beginning

    void start() {
        journal.begun();
        if (limit != null) {
            limitTimer = all.loop().after(limit, () -> on(Event.TIMEOUT));
        }
    }

    /** There is a session to join in, for the first time since {@link #start}, or since the last one ended. */
    void enter(Session to) {
        if (session != null || state != State.WAITING) {
            return;
        }
        session = to;
        Stand here = new Stand();
        stand = here;
        if (patience != Patience.NONE) {
            join(to, here);
            return;
        }
        Futures.onDone(to.free(lock.line()), (free, failure) -> {
            if (state != State.WAITING) {
                return;
            }
            if (failure != null) {
                here.gone(Futures.known(failure));
            } else if (free) {
                join(to, here);
            } else {
                here.waits();
            }
        });
    }

    private void join(Session to, Stand here) {
        place = to.join(lock.line(), payload.apply(all.describe()), here);
    }

    /** Where it stands in one session; what a former session's place still says is not heard. */
    private final class Stand implements PlaceListener {

        @Override
        public void waits() {
            if (stand == this) {
                answered = true;
                on(Event.WAITS);
                whenWaiting.run();
            }
        }

        @Override
        public void clear(Entry entry) {
            if (stand == this) {
                answered = true;
                mine = entry;
                all.attend(Acquisition.this);
                on(Event.CLEAR);
            }
        }

        @Override
        public void gone(CoordinationException reason) {
            if (stand == this) {
                why = reason;
                on(reason instanceof SessionLostException ? Event.ENDED : Event.GONE);
            }
        }
    }

    // ---- the machine

    void on(Event event) {
        // Validity is looked up here, after everything else: a pause before this line cannot become a hold.
        Step step = AcquisitionMachine.step(state, event, validity(), patience);
        State before = state;
        state = step.next();
        for (Effect effect : step.effects()) {
            carryOut(effect, event);
        }
        if (state == State.DONE && before != State.DONE) {
            limitTimer.cancel();
            deadlineTimer.cancel();
            journal.over();
            all.forget(this);
        }
    }

    private Validity validity() {
        if (hold != null) {
            return hold.left() > 0 ? Validity.PROVEN : Validity.PAST_DEADLINE;
        }
        if (session == null || session.link() != Link.CONNECTED) {
            return Validity.UNPROVEN;
        }
        long minimum = session.timeout().toNanos() / 4;
        Proof proof = session.proof();
        long left = proof.carefulLeft(all.loop().nanoTime(), all.loop().wallMillis());
        return left > minimum ? Validity.PROVEN : left > 0 ? Validity.UNPROVEN : Validity.PAST_DEADLINE;
    }

    private void carryOut(Effect effect, Event event) {
        switch (effect) {
            case RELEASED -> theHold().release();
            case LOST -> lost();
            case LEAVE -> leave();
            case REJOIN -> rejoin();
            case FAIL -> fail(event);
            case GRANT -> grant();
            case ARM -> arm();
            case EXTEND -> theHold().extend(theSession().proof());
            case JEOPARDY -> theHold().contact(false);
            case STEADY -> steady();
            case PROVE -> theSession().prove();
        }
        if (hold != null) {
            tell(hold);
        }
    }

    private void tell(FencedHold changed) {
        changed.tell();
        journal.seen(changed);
    }

    private void grant() {
        limitTimer.cancel();
        FencedHold granted = all.hold(lock, theEntry(), theSession().proof(), this);
        hold = granted;
        all.granted(this);
        journal.granted(granted);
        decision.complete(Optional.of(granted));
    }

    private void steady() {
        theHold().contact(true);
        theHold().shorten(theSession().proof());
    }

    private void arm() {
        deadlineTimer.cancel();
        Duration left = Duration.ofNanos(Math.max(1, theHold().left()));
        deadlineTimer = all.loop().after(left, () -> on(Event.TIMER));
    }

    private void lost() {
        if (why == null) {
            theHold().expire();
        } else {
            theHold().lose(String.valueOf(why.getMessage()));
            removed.complete(null);
        }
    }

    private void leave() {
        if (place == null) {
            removed.complete(null);
            return;
        }
        all.owe(this);
        Futures.onDone(place.leave(), (done, failure) -> {
            all.paid(this);
            if (failure == null) {
                removed();
            } else {
                unconfirmed(Futures.cause(failure));
            }
        });
    }

    private void unconfirmed(@Nullable Throwable why) {
        String rest = why == null ? "the entry goes" : "the entry is removed when the store allows it, or goes";
        removed.completeExceptionally(new CoordinationException(
                "the store has not confirmed the release of " + lock + "; " + rest + " with its session", why));
    }

    private void removed() {
        if (removed.complete(null)) {
            journal.removed();
        }
    }

    private void rejoin() {
        journal.rejoined(why == null ? "" : String.valueOf(why.getMessage()));
        Session ended = theSession();
        session = null;
        stand = null;
        place = null;
        mine = null;
        why = null;
        all.rejoin(this, ended);
    }

    private void fail(Event event) {
        switch (event) {
            case GONE, ENDED -> fail(Reason.FAILED, there(why, "reason"));
            case CLOSE -> fail(Reason.CLOSED, RecipeContext.closed());
            case TIMEOUT -> {
                if (limit != null && outOfReach()) {
                    String message =
                            "the store did not answer within " + Texts.of(limit) + "; " + lock + " is not held";
                    fail(Reason.FAILED, new StoreUnavailableException(message));
                } else {
                    giveUp(Reason.TIMED_OUT);
                }
            }
            case WAITS -> giveUp(Reason.TAKEN);
            case CANCEL -> giveUp(Reason.CANCELLED);
            case CLEAR, CONNECTED, SUSPENDED, PROVEN, TIMER -> throw new IllegalStateException("failed by " + event);
        }
    }

    private void fail(Reason reason, CoordinationException failure) {
        journal.notGranted(reason, String.valueOf(failure.getMessage()));
        decision.completeExceptionally(failure);
    }

    private void giveUp(Reason reason) {
        journal.notGranted(reason, "");
        decision.complete(Optional.empty());
    }

    /** Who asked for an answer at once must have had one; for a wait, contact is enough: it may have been very short. */
    private boolean outOfReach() {
        boolean contact = session != null && session.link() == Link.CONNECTED;
        return !answered && (patience == Patience.NONE || !contact);
    }

    /** The coordinator has stopped before the acquisition was looked at. Any thread. */
    void refuse() {
        decision.completeExceptionally(RecipeContext.closed());
    }

    /** The coordinator has stopped; the removal is confirmed by the end of the session, or never will be. */
    void settle(boolean sessionEnded) {
        if (sessionEnded) {
            removed();
        } else {
            unconfirmed(null);
        }
    }

    private FencedHold theHold() {
        return there(hold, "hold");
    }

    private Session theSession() {
        return there(session, "session");
    }

    private Entry theEntry() {
        return there(mine, "entry");
    }

    private static <T> T there(@Nullable T value, String what) {
        if (value == null) {
            throw new IllegalStateException("no " + what + " in this state");
        }
        return value;
    }
}
