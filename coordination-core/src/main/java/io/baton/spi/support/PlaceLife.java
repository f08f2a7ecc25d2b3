package io.baton.spi.support;

import io.baton.CoordinationException;
import io.baton.spi.Loop;
import io.baton.spi.PlaceListener;
import io.baton.spi.support.PlaceMachine.Event;
import io.baton.spi.support.PlaceMachine.Phase;
import io.baton.spi.support.PlaceMachine.State;
import io.baton.spi.support.PlaceMachine.Step;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Runs {@link PlaceMachine} for one place: tells its listener, and has a {@link LineDriver} do the rest. On the loop. */
public final class PlaceLife {

    private final LineDriver driver;
    private final PlaceListener to;
    private final Loop loop;
    private final RefusedRemovals refusedRemovals;
    private final RepeatedRefusal inDoubt;
    private final RepeatedRefusal removal;
    private final CompletableFuture<Void> left = new CompletableFuture<>();
    private State state = State.NEW;
    private int refusals;

    /**
     * A new place, absent.
     *
     * @param driver acts for the place
     * @param to the place's listener
     * @param loop the session's loop
     * @param refusedRemovals the session's entries that have been left and may not be removed
     * @param inDoubt reports that the search for an entry in doubt is refused
     * @param removal reports that the entry cannot be removed
     */
    public PlaceLife(
            LineDriver driver,
            PlaceListener to,
            Loop loop,
            RefusedRemovals refusedRemovals,
            RepeatedRefusal inDoubt,
            RepeatedRefusal removal) {
        this.driver = driver;
        this.to = to;
        this.loop = loop;
        this.refusedRemovals = refusedRemovals;
        this.inDoubt = inDoubt;
        this.removal = removal;
    }

    /** Returns whether there is an entry. */
    public Phase phase() {
        return state.phase();
    }

    /** Whether the place was left, or is lost. */
    public boolean isLeft() {
        return state.left();
    }

    /** Whether a join is to be sent: there is no entry, and one is wanted. */
    public boolean mayJoin() {
        return state.phase() == Phase.ABSENT && !state.left();
    }

    /** Whether the entry is known to stand, wanted or not. */
    public boolean entered() {
        return state.entered();
    }

    /** Whether the entry is in the line, and wanted. */
    public boolean stands() {
        return state.stands();
    }

    /** Whether the entry is in the line, wanted, and not known to be the first. */
    public boolean waits() {
        return state.waits();
    }

    /** Whether the listener has been told that others stand ahead. */
    public boolean waited() {
        return state.waited();
    }

    /** Wanted, or wanted again after a join without effect. */
    public void start() {
        handle(Event.START, null);
    }

    /** The join was sent. */
    public void sent() {
        handle(Event.SENT, null);
    }

    /** The entry was seen in the line. */
    public void joined() {
        inDoubt.resolved();
        handle(Event.JOINED, null);
    }

    /** The join was not answered; it may have been applied. */
    public void unanswered() {
        handle(Event.UNANSWERED, null);
    }

    /** The search for the entry was refused. */
    public void searchRefused(String why) {
        inDoubt.refused(why);
    }

    /** The join has had no effect, and will have none. */
    public void undone() {
        inDoubt.resolved();
        handle(Event.UNDONE, null);
    }

    /** Others stand ahead. */
    public void behind() {
        handle(Event.BEHIND, null);
    }

    /** No entry stands ahead. */
    public void first() {
        handle(Event.FIRST, null);
    }

    /** There is no entry, and there will be none. */
    public void gone(CoordinationException why) {
        handle(Event.GONE, why);
    }

    /** The place cannot be kept. If there is an entry, it stands. */
    public void stuck(CoordinationException why) {
        handle(Event.STUCK, why);
    }

    /** As {@link #stuck}, but the entry of a hold stays: the driver removes it when the holder has had time to stop. */
    public void unseen(CoordinationException why) {
        handle(Event.UNSEEN, why);
    }

    /** The caller leaves. Returns a stage that completes once the entry has certainly gone. */
    public CompletionStage<Void> leave() {
        handle(Event.LEAVE, null);
        return left;
    }

    /** The entry has been removed at this place's request. */
    public void removed() {
        handle(Event.REMOVED, null);
    }

    /** The session has ended, and the entry ends with it. */
    public void sessionLost(CoordinationException why) {
        handle(Event.ENDED, why);
    }

    /** The removal failed for now, and will be repeated. */
    public void removalFailed(String why) {
        removal.refused(why);
    }

    /**
     * The removal is not permitted. It is repeated ever more slowly, as that may change. The caller's {@code leave}
     * fails after a few refusals.
     */
    public void removalRefused(String why, Supplier<CoordinationException> failure) {
        if (state.phase() == Phase.CLOSED) {
            return;
        }
        refusals++;
        if (refusals == RepeatedRefusal.MANY) {
            left.completeExceptionally(failure.get());
            refusedRemovals.add();
        }
        removal.refused(why);
        loop.after(Pauses.afterRefusals(refusals, loop), driver::remove);
    }

    private void handle(Event event, @Nullable CoordinationException why) {
        Phase before = state.phase();
        Step step = PlaceMachine.step(state, event);
        state = step.next();
        // A listener that throws must not keep the entry from being removed, nor the place from being closed.
        RunAll.each(step.effects(), effect -> {
            switch (effect) {
                case STOP -> driver.stop();
                case LOST -> to.lost(required(why));
                case JOIN -> driver.join();
                case WAITING -> to.waiting();
                case CLEAR -> to.clear(driver.first());
                case REMOVE -> driver.remove();
                case CLOSE -> close(before);
                case CLOSE_WITH_SESSION -> closeWithSession();
            }
        });
    }

    private static CoordinationException required(@Nullable CoordinationException why) {
        if (why == null) {
            throw new IllegalStateException("lost without a reason");
        }
        return why;
    }

    private void close(Phase before) {
        if (refusals >= RepeatedRefusal.MANY) {
            refusedRemovals.remove();
        }
        removal.resolved();
        inDoubt.resolved();
        driver.closed(before);
        left.complete(null);
    }

    private void closeWithSession() {
        driver.closedWithSession().whenComplete((done, unknown) -> {
            if (unknown == null) {
                left.complete(null);
            } else {
                left.completeExceptionally(unknown);
            }
        });
    }
}
