package io.baton.internal.lock;

import io.baton.CoordinationException;
import io.baton.HoldState;
import io.baton.ReleaseRequest;
import io.baton.SessionLostException;
import io.baton.StoreUnavailableException;
import io.baton.Subscription;
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
import io.baton.spi.Peer;
import io.baton.spi.Place;
import io.baton.spi.PlaceListener;
import io.baton.spi.Proof;
import io.baton.spi.Session;
import io.baton.spi.support.Downgrades;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Carries out the effects of {@link AcquisitionMachine} for one acquisition: joins, grants, watches the deadline,
 * leaves. On the loop, except the methods that say so.
 */
final class Acquisition implements AcquireAttempt, FencedHold.Owner {

    private static final Loop.Timer NONE = () -> {};

    private final Acquisitions all;
    private final Resource lock;
    private final Entrant contender;
    private final UnaryOperator<byte[]> payload;
    private final Patience patience;
    private final @Nullable Duration limit;
    private final CompletableFuture<Optional<FencedHold>> decision = new CompletableFuture<>();
    private final CompletableFuture<Void> removed = new CompletableFuture<>();

    private final List<Subscription> endWithHold = new ArrayList<>();
    private AcquisitionTelemetry telemetry;
    private State state = State.WAITING;
    private Loop.Timer limitTimer = NONE;
    private Loop.Timer deadlineTimer = NONE;
    private boolean answered;
    private Runnable whenWaiting = () -> {};
    private Runnable whenDone = () -> {};
    private long turn;
    private long heldSince;
    private @Nullable Session session;
    private @Nullable Stand stand;
    private @Nullable Place place;
    private @Nullable Entry mine;
    private @Nullable FencedHold hold;
    private @Nullable CoordinationException why;

    Acquisition(
            Acquisitions all,
            Resource lock,
            Entrant contender,
            UnaryOperator<byte[]> payload,
            Patience patience,
            @Nullable Duration limit,
            AcquisitionTelemetry telemetry) {
        this.all = all;
        this.lock = lock;
        this.contender = contender;
        this.payload = payload;
        this.patience = patience;
        this.limit = limit;
        this.telemetry = telemetry;
    }

    @Override
    public CompletableFuture<Optional<FencedHold>> decision() {
        return decision;
    }

    boolean isOf(Resource resource) {
        return lock.equals(resource);
    }

    /** Whether attempts that are counted themselves wait for this. */
    boolean isShared() {
        return contender.isShared();
    }

    /** Completes on the loop once an entry to be removed is gone; fails if that stays unknown. */
    CompletableFuture<Void> removal() {
        return removed;
    }

    /** Sets a task to run each time this stands behind others, in any session. On the loop, before it begins. */
    void onWaiting(Runnable task) {
        whenWaiting = task;
    }

    @Override
    public void giveUp() {
        all.loop().post(() -> {
            if (state != State.HELD) {
                handle(Event.CANCEL);
            }
        });
    }

    @Override
    public void cancel() {
        all.loop().post(() -> handle(Event.CANCEL));
    }

    /**
     * Gives up in a later step if this holds then and no place in the line has been asked for: there is no contact yet, or
     * it asks whether that is free.
     */
    void giveUpUnlessJoined(BooleanSupplier wanted) {
        all.loop().post(() -> {
            if (place == null && wanted.getAsBoolean()) {
                handle(Event.CANCEL);
            }
        });
    }

    boolean isInContact() {
        Session in = session;
        return in != null && in.link() == Link.CONNECTED;
    }

    /** Sets a task to run once this is done, except perhaps for the removal. On the loop, before it begins. */
    void onDone(Runnable task) {
        whenDone = task;
    }

    // ---- FencedHold.Owner, any thread

    @Override
    public void expired() {
        all.loop().post(() -> handle(Event.TIMER));
    }

    @Override
    public void doubted() {
        all.loop().post(() -> {
            if (state == State.HELD && session != null && hold != null) {
                notifyListeners(hold);
                session.requestProof();
            }
        });
    }

    @Override
    public CompletableFuture<Void> release() {
        all.loop().post(() -> handle(Event.CLOSE));
        return removed;
    }

    @Override
    public Subscription onReleaseRequested(FencedHold of, Consumer<ReleaseRequest> listener) {
        ReleaseRequests.Listening listening = all.releaseRequests().listen(lock, of, listener);
        all.loop().post(() -> {
            if (state == State.DONE || hold != of || session == null) {
                listening.close();
            } else {
                listening.toOthers(session);
                endWithHold.add(listening);
            }
        });
        return () -> {
            listening.close();
            all.loop().post(() -> endWithHold.remove(listening));
        };
    }

    @Override
    public CompletableFuture<Void> downgrade() {
        return Futures.callOnLoop(all.loop(), () -> {
            if (state != State.HELD || place == null) {
                return CompletableFuture.failedFuture(Downgrades.ended(lock.line()));
            }
            return place.downgrade().toCompletableFuture();
        });
    }

    // ---- the beginning

    void start() {
        telemetry.started();
        if (limit != null) {
            limitTimer = all.loop().after(limit, () -> handle(Event.TIMEOUT));
        }
    }

    /** Joins in a session: the first since {@link #start}, or the next after the last one has ended. */
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
        Futures.onDone(contender.isFree(to), (free, failure) -> {
            if (state != State.WAITING) {
                return;
            }
            if (failure != null) {
                here.lost(Futures.toCoordinationException(failure));
            } else if (free) {
                join(to, here);
            } else {
                here.waiting();
            }
        });
    }

    private void join(Session to, Stand here) {
        place = contender.join(to, payload.apply(all.describe()), here);
    }

    /** Receives the place's events in one session; events from a former session's place are ignored. */
    private final class Stand implements PlaceListener {

        @Override
        public void waiting() {
            if (stand == this) {
                answered = true;
                handle(Event.WAITS);
                whenWaiting.run();
            }
        }

        @Override
        public void clear(Entry entry) {
            if (stand == this) {
                answered = true;
                mine = entry;
                all.subscribe(Acquisition.this);
                handle(Event.CLEAR);
            }
        }

        @Override
        public void lost(CoordinationException reason) {
            if (stand == this) {
                why = reason;
                if (hold == null && place != null) {
                    contender.lostUnused(place);
                }
                handle(reason instanceof SessionLostException ? Event.ENDED : Event.GONE);
            }
        }
    }

    // ---- the machine

    void handle(Event event) {
        // Validity is read here, last: a pause before this line must not lead to a hold.
        Step step = AcquisitionMachine.step(state, event, validity(), patience);
        State before = state;
        state = step.next();
        for (Effect effect : step.effects()) {
            apply(effect, event);
        }
        if (state == State.DONE && before != State.DONE) {
            limitTimer.cancel();
            deadlineTimer.cancel();
            telemetry.done();
            endWithHold();
            all.forget(this);
            whenDone.run();
        }
    }

    private Validity validity() {
        if (hold != null) {
            return hold.remainingNanos() > 0 ? Validity.PROVEN : Validity.PAST_DEADLINE;
        }
        return sessionValidity();
    }

    private Validity sessionValidity() {
        if (session == null || session.link() != Link.CONNECTED) {
            return Validity.UNPROVEN;
        }
        long minimum = session.timeout().toNanos() / 4;
        Proof proof = session.proof();
        long left =
                proof.carefulRemainingNanos(all.loop().nanoTime(), all.loop().wallMillis());
        return left > minimum ? Validity.PROVEN : left > 0 ? Validity.UNPROVEN : Validity.PAST_DEADLINE;
    }

    private void apply(Effect effect, Event event) {
        switch (effect) {
            case RELEASED -> requireHold().release();
            case LOST -> lost();
            case LEAVE -> leave(event);
            case REJOIN -> rejoin();
            case FAIL -> fail(event);
            case GRANT -> grant();
            case ARM -> arm();
            case EXTEND -> requireHold().extend(requireSession().proof());
            case JEOPARDY -> requireHold().setInContact(false);
            case STEADY -> steady();
            case PROVE -> requireSession().requestProof();
        }
        if (hold != null) {
            notifyListeners(hold);
        }
    }

    private void notifyListeners(FencedHold changed) {
        changed.notifyListeners();
        telemetry.holdChanged(changed);
    }

    private void grant() {
        limitTimer.cancel();
        FencedHold granted = all.hold(lock, requireEntry(), requireSession().proof(), this, turn);
        hold = granted;
        heldSince = all.loop().nanoTime();
        all.granted(this);
        telemetry.granted(granted);
        decision.complete(Optional.of(granted));
    }

    // ---- a place that several owners share

    /**
     * Gives the place to another owner, if the session is proven alive at this very step: a new hold of the same entry,
     * in the next turn. The former hold ends.
     *
     * @param to what the hold is reported to
     * @return empty if it is not proven, or the hold has been lost
     */
    Optional<FencedHold> pass(FencedHold.Owner next, AcquisitionTelemetry to) {
        if (state != State.HELD
                || sessionValidity() != Validity.PROVEN
                || requireHold().state() == HoldState.LOST) {
            return Optional.empty();
        }
        FencedHold former = requireHold();
        former.release();
        notifyListeners(former);
        endWithHold();
        telemetry.done();
        telemetry = to;
        turn++;
        FencedHold passed = all.hold(lock, requireEntry(), requireSession().proof(), next, turn);
        hold = passed;
        if (passed.remainingNanos() < former.remainingNanos()) {
            arm();
        }
        return Optional.of(passed);
    }

    /**
     * Observes the line.
     *
     * @return stops it; on the loop
     */
    Runnable observe(Consumer<List<Peer>> to) {
        return requireSession().observePeers(lock.line(), to);
    }

    /** Returns the name of the entry. */
    String entryName() {
        return requireEntry().peer().name();
    }

    /** Runs the task at each request to release the hold of this entry. On the loop. */
    Subscription onReleaseRequested(Runnable task) {
        return all.releaseRequests().listenOnLoop(lock, requireEntry(), task);
    }

    private void endWithHold() {
        endWithHold.forEach(Subscription::close);
        endWithHold.clear();
    }

    private void steady() {
        requireHold().setInContact(true);
        requireHold().shorten(requireSession().proof());
    }

    private void arm() {
        deadlineTimer.cancel();
        Duration left = Duration.ofNanos(Math.max(1, requireHold().remainingNanos()));
        deadlineTimer = all.loop().after(left, () -> handle(Event.TIMER));
    }

    private void lost() {
        if (why == null) {
            requireHold().markExpired();
        } else {
            requireHold().markLost(String.valueOf(why.getMessage()));
            removed.complete(null);
        }
    }

    private void leave(Event event) {
        if (place == null) {
            removed.complete(null);
            return;
        }
        Place leaving = place;
        all.removalPending(this);
        Futures.onDone(contender.leave(leaving, ending(event), heldSince), (gone, failure) -> {
            if (failure == null && !gone) {
                all.entryKept(this);
                Futures.onDone(contender.kept(leaving), (done, never) -> all.keptEntryGone());
                removed.complete(null);
                return;
            }
            all.removalDone(this);
            if (failure == null) {
                completeRemoval();
            } else {
                failRemoval(Futures.cause(failure));
            }
        });
    }

    /** Returns how the place ends. By CANCEL no program has received the hold. */
    private Entrant.Ending ending(Event event) {
        if (hold == null || event == Event.CANCEL) {
            return Entrant.Ending.UNUSED;
        }
        return hold.state() == HoldState.LOST ? Entrant.Ending.LOST : Entrant.Ending.RELEASED;
    }

    private void failRemoval(@Nullable Throwable why) {
        String rest = why == null ? "the entry goes" : "the entry is removed when the store allows it, or goes";
        removed.completeExceptionally(new CoordinationException(
                "the store has not confirmed the release of " + lock + "; " + rest + " with its session", why));
    }

    private void completeRemoval() {
        if (removed.complete(null)) {
            telemetry.removed();
        }
    }

    private void rejoin() {
        telemetry.rejoined(why == null ? "" : String.valueOf(why.getMessage()));
        Session ended = requireSession();
        session = null;
        stand = null;
        place = null;
        mine = null;
        why = null;
        all.rejoin(this, ended);
    }

    private void fail(Event event) {
        switch (event) {
            case GONE, ENDED -> fail(Reason.FAILED, require(why, "reason"));
            case CLOSE -> fail(Reason.CLOSED, RecipeContext.closedException());
            case TIMEOUT ->
                unreached(require(limit, "limit"), patience == Patience.NONE)
                        .ifPresentOrElse(failure -> fail(Reason.FAILED, failure), () -> giveUp(Reason.TIMED_OUT));
            case WAITS -> giveUp(Reason.TAKEN);
            case CANCEL -> giveUp(Reason.CANCELLED);
            case CLEAR, CONNECTED, SUSPENDED, PROVEN, TIMER -> throw new IllegalStateException("failed by " + event);
        }
    }

    private void fail(Reason reason, CoordinationException failure) {
        telemetry.notGranted(reason, String.valueOf(failure.getMessage()));
        decision.completeExceptionally(failure);
    }

    private void giveUp(Reason reason) {
        telemetry.notGranted(reason, "");
        decision.complete(Optional.empty());
    }

    /**
     * Returns the failure of an attempt whose time is over, if the store was out of reach. An attempt without waiting
     * must have had an answer, and the store may say why it gave none. For a wait, contact is enough: the time may have
     * been very short.
     */
    Optional<CoordinationException> unreached(Duration waited, boolean noWait) {
        Session in = session;
        boolean contact = isInContact();
        if (answered || (contact && !noWait)) {
            return Optional.empty();
        }
        Optional<String> why = in == null || !contact ? Optional.empty() : in.whyNoGrants(lock.line());
        return Optional.of(new StoreUnavailableException(
                why.orElse("the store did not answer within " + Texts.of(waited)) + "; " + lock + " is not held"));
    }

    /** Fails the acquisition, as the coordinator has stopped before it began. Any thread. */
    void refuse() {
        decision.completeExceptionally(RecipeContext.closedException());
    }

    /** Ends a pending removal as the coordinator stops: the session's end confirms it, or it stays unknown. */
    void endRemoval(boolean sessionEnded) {
        if (sessionEnded) {
            completeRemoval();
        } else {
            failRemoval(null);
        }
    }

    private FencedHold requireHold() {
        return require(hold, "hold");
    }

    private Session requireSession() {
        return require(session, "session");
    }

    private Entry requireEntry() {
        return require(mine, "entry");
    }

    private static <T> T require(@Nullable T value, String what) {
        if (value == null) {
            throw new IllegalStateException("no " + what + " in this state");
        }
        return value;
    }
}
