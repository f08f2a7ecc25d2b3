package io.baton.election;

import static io.baton.election.CandidacyMachine.Effect.END;
import static io.baton.election.CandidacyMachine.Effect.LAST_RESORT;
import static io.baton.election.CandidacyMachine.Effect.PAUSE;
import static io.baton.election.CandidacyMachine.Effect.RELEASE;
import static io.baton.election.CandidacyMachine.Effect.STAND;
import static io.baton.election.CandidacyMachine.Effect.START;
import static io.baton.election.CandidacyMachine.Effect.STOP;
import static io.baton.election.CandidacyMachine.Effect.WITHDRAW;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * The life of a candidacy as a pure function: one attempt to come first after the other.
 *
 * <p>Two rules shape it. The entry is given back only when the work has stopped, whatever asks for it; and the candidate
 * stands again only then, so that one candidacy never has two works at a time.
 */
final class CandidacyMachine {

    /** How far it has come. */
    enum State {
        /** In no line; about to stand. */
        IDLE,
        /** In the line, or on the way there. */
        STANDING,
        /** First; the work goes on. */
        LEADING,
        /** First; the work has been told to stop. */
        STOPPING,
        /** Not first any more; the work has been told to stop. */
        DEPOSED,
        /** Closed. */
        OVER
    }

    /** What can happen to it. */
    enum Event {
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
        /** The candidate gives up for good. */
        CLOSE,
        /** The work has stopped. */
        RETURNED,
        /** The work has not stopped in the time that it was given. */
        LATE
    }

    /** What is to be done, in this order. */
    enum Effect {
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
        /** Do what is to be done about work that does not stop. */
        LAST_RESORT,
        /** Stand again in a while. */
        PAUSE,
        /** The candidacy has ended. */
        END
    }

    /** The next state and what is to be done. */
    record Step(State next, Set<Effect> effects) {}

    private CandidacyMachine() {}

    /**
     * One step.
     *
     * @param leaving whether the candidacy has been closed, by this event or before
     */
    static Step step(State state, Event event, boolean leaving) {
        return switch (state) {
            case IDLE -> idle(event);
            case STANDING -> standing(event);
            case LEADING -> leading(event);
            case STOPPING -> stopping(event, leaving);
            case DEPOSED -> deposed(event, leaving);
            case OVER -> to(State.OVER);
        };
    }

    private static Step idle(Event event) {
        return switch (event) {
            case BEGIN -> to(State.STANDING, STAND);
            case CLOSE -> to(State.OVER, END);
            case GRANTED, REFUSED, JEOPARDY, LOST, RESIGN, RETURNED, LATE -> to(State.IDLE);
        };
    }

    private static Step standing(Event event) {
        return switch (event) {
            case GRANTED -> to(State.LEADING, START);
            case REFUSED -> to(State.IDLE, PAUSE);
            case CLOSE -> to(State.OVER, WITHDRAW, END);
            case BEGIN, JEOPARDY, LOST, RESIGN, RETURNED, LATE -> to(State.STANDING);
        };
    }

    private static Step leading(Event event) {
        return switch (event) {
            case JEOPARDY, RESIGN, CLOSE -> to(State.STOPPING, STOP);
            case LOST -> to(State.DEPOSED, STOP);
            case RETURNED -> to(State.IDLE, RELEASE, PAUSE);
            case BEGIN, GRANTED, REFUSED, LATE -> to(State.LEADING);
        };
    }

    private static Step stopping(Event event, boolean leaving) {
        return switch (event) {
            case RETURNED -> leaving ? to(State.OVER, RELEASE, END) : to(State.IDLE, RELEASE, PAUSE);
            case LOST -> to(State.DEPOSED, LAST_RESORT);
            case LATE -> to(State.STOPPING, LAST_RESORT);
            case BEGIN, GRANTED, REFUSED, JEOPARDY, RESIGN, CLOSE -> to(State.STOPPING);
        };
    }

    private static Step deposed(Event event, boolean leaving) {
        return switch (event) {
            case RETURNED -> leaving ? to(State.OVER, RELEASE, END) : to(State.IDLE, RELEASE, PAUSE);
            case LATE -> to(State.DEPOSED, LAST_RESORT);
            case BEGIN, GRANTED, REFUSED, JEOPARDY, LOST, RESIGN, CLOSE -> to(State.DEPOSED);
        };
    }

    private static Step to(State next, Effect... effects) {
        Set<Effect> ordered = EnumSet.noneOf(Effect.class);
        Collections.addAll(ordered, effects);
        return new Step(next, Collections.unmodifiableSet(ordered));
    }
}
