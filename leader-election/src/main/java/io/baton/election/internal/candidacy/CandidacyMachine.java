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
 * The life of a candidacy as a pure function: one attempt to come first after the other.
 *
 * <p>Two rules shape it. The entry is given back only when the work has stopped, whatever asks for it; and the candidate
 * stands again only then, so that one candidacy never has two works at a time.
 */
public final class CandidacyMachine {

    /** How far it has come. */
    public enum State {
        /** In no line; about to stand. */
        IDLE,
        /** In the line, or on the way there. */
        STANDING,
        /** First; the work goes on. */
        LEADING,
        /** First; the work has been told to stop. */
        STOPPING,
        /** First; the work has been told to stop, and then another candidate, which is ready, is to lead. */
        HANDING_OVER,
        /** The work has stopped, and the store is asked to let the other one lead. */
        PASSING,
        /** Not first any more; the work has been told to stop. */
        DEPOSED,
        /** Closed. */
        OVER
    }

    /** What can happen to it. */
    public enum Event {
        /** Time to stand. */
        BEGIN,
        /** First, and proven alive. */
        GRANTED,
        /** The attempt came to nothing. */
        REFUSED,
        /** No contact, and the candidate does not ride it out, or not any longer. */
        JEOPARDY,
        /** Not first any more, or not certain to be. */
        LOST,
        /** The candidate gives up this term. */
        RESIGN,
        /** Another candidate is ready to lead, and nobody stands between. */
        AGREED,
        /** The store has answered, or does not, whether the other one leads. */
        PASSED,
        /** There is another candidate of the same id. */
        DOUBLED,
        /** The election is paused, and this candidate is not the one that may lead meanwhile. */
        HELD_BACK,
        /** It was first, and is not any more, before the work has begun. */
        VANISHED,
        /** The candidate gives up for good. */
        CLOSE,
        /** The work has stopped. */
        RETURNED,
        /** The work has not stopped in the time that it was given. */
        LATE
    }

    /** What is to be done, in this order. */
    public enum Effect {
        /** Give the entry back; the removal is owed. */
        RELEASE,
        /** Leave the line before having come first. */
        WITHDRAW,
        /** Join the line. */
        STAND,
        /** Begin the work. */
        START,
        /** Tell the work to stop, and why. */
        STOP,
        /** Nothing comes of what is under way of a hand-over, if anything is. */
        CALL_OFF,
        /** Give the entry back in favour of the other one, in one transaction. */
        PASS,
        /** Do what is to be done about work that does not stop. */
        LAST_RESORT,
        /** Stand again in a while. */
        PAUSE,
        /** The candidacy has ended. */
        END
    }

    /** The next state and what is to be done. */
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

    /** What makes it uncertain that the other one can lead at once leaves it to the line. */
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

    /** The work has stopped: whatever happens to the entry now endangers nobody. */
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
