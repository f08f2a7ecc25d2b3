package io.baton.election.internal.candidacy;

import static io.baton.election.internal.candidacy.CandidacyMachine.Effect.CALL_OFF;
import static io.baton.election.internal.candidacy.CandidacyMachine.Effect.END;
import static io.baton.election.internal.candidacy.CandidacyMachine.Effect.LAST_RESORT;
import static io.baton.election.internal.candidacy.CandidacyMachine.Effect.PASS;
import static io.baton.election.internal.candidacy.CandidacyMachine.Effect.PAUSE;
import static io.baton.election.internal.candidacy.CandidacyMachine.Effect.RELEASE;
import static io.baton.election.internal.candidacy.CandidacyMachine.Effect.STAND;
import static io.baton.election.internal.candidacy.CandidacyMachine.Effect.START;
import static io.baton.election.internal.candidacy.CandidacyMachine.Effect.STOP;
import static io.baton.election.internal.candidacy.CandidacyMachine.Effect.WITHDRAW;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * The life of a candidacy as a pure function: one attempt to lead after the other.
 *
 * <p>Two rules shape it. The entry is released only after the work has stopped, for any reason. The candidate stands
 * again only then, so one candidacy never has two works at a time.
 */
public final class CandidacyMachine {

    /** The states of a candidacy. */
    public enum State {
        /** Not in the line; about to stand. */
        IDLE,
        /** In the line, or joining it. */
        STANDING,
        /** First; the work is running. */
        LEADING,
        /** First; the work must stop. */
        STOPPING,
        /** First; the work must stop, and then another candidate, which is ready, is to lead. */
        HANDING_OVER,
        /** The work has stopped, and the store is asked to let the other candidate lead. */
        PASSING,
        /** No longer first; the work must stop. */
        DEPOSED,
        /** Closed. */
        OVER
    }

    /** The events of a candidacy. */
    public enum Event {
        /** It is time to stand. */
        BEGIN,
        /** The entry is first, and proven alive. */
        GRANTED,
        /** The attempt has failed. */
        REFUSED,
        /** Contact is lost, and the candidate does not go on without it, or no longer. */
        JEOPARDY,
        /** The entry is no longer first, or not certain to be. */
        LOST,
        /** The candidate resigns from this term. */
        RESIGN,
        /** Another candidate is ready to lead, and no entry is between. */
        AGREED,
        /** The store has confirmed or refused the other candidate's leadership, or has not answered. */
        PASSED,
        /** Another candidate has the same id. */
        DOUBLED,
        /** The election is paused, and this candidate is not the one that may lead meanwhile. */
        HELD_BACK,
        /** The entry was first, but is gone before the work has started. */
        VANISHED,
        /** The candidacy is closed. */
        CLOSE,
        /** The work has stopped. */
        RETURNED,
        /** The work has not stopped in time. */
        LATE
    }

    /** The effects to execute, in this order. */
    public enum Effect {
        /** Release the entry; its removal is owed. */
        RELEASE,
        /** Leave the line before being first. */
        WITHDRAW,
        /** Join the line. */
        STAND,
        /** Start the work. */
        START,
        /** Stop the work, with the reason. */
        STOP,
        /** Cancel the current hand-over, if there is one. */
        CALL_OFF,
        /** Release the entry in favour of the other candidate, in one transaction. */
        PASS,
        /** Handle work that does not stop. */
        LAST_RESORT,
        /** Stand again after a pause. */
        PAUSE,
        /** End the candidacy. */
        END
    }

    /** The next state, and the effects. */
    public record Step(State next, Set<Effect> effects) {}

    private CandidacyMachine() {}

    /**
     * One step.
     *
     * @param leaving whether the candidacy has been closed, by this event or before
     */
    public static Step step(State state, Event event, boolean leaving) {
        return switch (state) {
            case IDLE -> idle(event);
            case STANDING -> standing(event);
            case LEADING -> leading(event);
            case STOPPING -> stopping(event, leaving);
            case HANDING_OVER -> handingOver(event);
            case PASSING -> passing(event, leaving);
            case DEPOSED -> deposed(event, leaving);
            case OVER -> to(State.OVER);
        };
    }

    private static Step idle(Event event) {
        return switch (event) {
            case BEGIN -> to(State.STANDING, STAND);
            case CLOSE -> to(State.OVER, END);
            case GRANTED,
                    REFUSED,
                    JEOPARDY,
                    LOST,
                    RESIGN,
                    AGREED,
                    PASSED,
                    DOUBLED,
                    HELD_BACK,
                    VANISHED,
                    RETURNED,
                    LATE -> to(State.IDLE);
        };
    }

    private static Step standing(Event event) {
        return switch (event) {
            case GRANTED -> to(State.LEADING, START);
            case REFUSED -> to(State.IDLE, PAUSE);
            case CLOSE -> to(State.OVER, WITHDRAW, END);
            case DOUBLED, VANISHED -> to(State.IDLE, WITHDRAW, PAUSE);
            case HELD_BACK -> to(State.IDLE, WITHDRAW);
            case BEGIN, JEOPARDY, LOST, RESIGN, AGREED, PASSED, RETURNED, LATE -> to(State.STANDING);
        };
    }

    private static Step leading(Event event) {
        return switch (event) {
            case JEOPARDY, RESIGN, CLOSE -> to(State.STOPPING, STOP, CALL_OFF);
            case LOST -> to(State.DEPOSED, STOP, CALL_OFF);
            case AGREED -> to(State.HANDING_OVER, STOP);
            case RETURNED -> to(State.IDLE, RELEASE, PAUSE, CALL_OFF);
            case BEGIN, GRANTED, REFUSED, PASSED, DOUBLED, HELD_BACK, VANISHED, LATE -> to(State.LEADING);
        };
    }

    private static Step stopping(Event event, boolean leaving) {
        return switch (event) {
            case RETURNED -> leaving ? to(State.OVER, RELEASE, END) : to(State.IDLE, RELEASE, PAUSE);
            case LOST -> to(State.DEPOSED, LAST_RESORT);
            case LATE -> to(State.STOPPING, LAST_RESORT);
            case BEGIN, GRANTED, REFUSED, JEOPARDY, RESIGN, AGREED, PASSED, DOUBLED, HELD_BACK, VANISHED, CLOSE ->
                to(State.STOPPING);
        };
    }

    /** If it becomes uncertain that the other candidate can lead at once, the order of the line decides. */
    private static Step handingOver(Event event) {
        return switch (event) {
            case RETURNED -> to(State.PASSING, PASS);
            case JEOPARDY -> to(State.STOPPING, CALL_OFF);
            case LOST -> to(State.DEPOSED, LAST_RESORT, CALL_OFF);
            case LATE -> to(State.STOPPING, LAST_RESORT, CALL_OFF);
            case BEGIN, GRANTED, REFUSED, RESIGN, AGREED, PASSED, DOUBLED, HELD_BACK, VANISHED, CLOSE ->
                to(State.HANDING_OVER);
        };
    }

    /** The work has stopped, so no change of the entry is dangerous. */
    private static Step passing(Event event, boolean leaving) {
        return switch (event) {
            case PASSED -> leaving ? to(State.OVER, RELEASE, END) : to(State.IDLE, RELEASE, PAUSE);
            case BEGIN,
                    GRANTED,
                    REFUSED,
                    JEOPARDY,
                    LOST,
                    RESIGN,
                    AGREED,
                    DOUBLED,
                    HELD_BACK,
                    VANISHED,
                    CLOSE,
                    RETURNED,
                    LATE -> to(State.PASSING);
        };
    }

    private static Step deposed(Event event, boolean leaving) {
        return switch (event) {
            case RETURNED -> leaving ? to(State.OVER, RELEASE, END) : to(State.IDLE, RELEASE, PAUSE);
            case LATE -> to(State.DEPOSED, LAST_RESORT);
            case BEGIN, GRANTED, REFUSED, JEOPARDY, LOST, RESIGN, AGREED, PASSED, DOUBLED, HELD_BACK, VANISHED, CLOSE ->
                to(State.DEPOSED);
        };
    }

    private static Step to(State next, Effect... effects) {
        Set<Effect> ordered = EnumSet.noneOf(Effect.class);
        Collections.addAll(ordered, effects);
        return new Step(next, Collections.unmodifiableSet(ordered));
    }
}
