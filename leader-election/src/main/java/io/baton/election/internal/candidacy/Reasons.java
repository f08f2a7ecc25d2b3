package io.baton.election.internal.candidacy;

import io.baton.election.StopReason;
import io.baton.election.internal.candidacy.CandidacyMachine.Event;

/** Reasons for the end of a term or a hand-over, for people. */
public final class Reasons {

    private Reasons() {}

    /** Returns why the work has to stop. */
    public static StopReason toStop(Event event) {
        return switch (event) {
            case JEOPARDY -> StopReason.JEOPARDY;
            case LOST -> StopReason.LOST;
            case RESIGN -> StopReason.RESIGNED;
            case AGREED -> StopReason.HANDED_OVER;
            case CLOSE -> StopReason.CLOSED;
            case BEGIN, GRANTED, REFUSED, PASSED, DOUBLED, HELD_BACK, VANISHED, RETURNED, LATE ->
                throw new IllegalStateException("stopped by " + event);
        };
    }

    /** Returns why a hand-over is cancelled. */
    public static String toCancel(Event event) {
        return switch (event) {
            case JEOPARDY -> "the leader is out of contact with the store, and stops";
            case LOST -> "the leadership was lost meanwhile";
            case RESIGN -> "the leader resigns";
            case CLOSE -> "the leader's candidacy is being closed";
            case RETURNED -> "the leader's work has ended by itself";
            case LATE -> "the leader's work has not stopped in time; it resigns as soon as it has";
            case BEGIN, GRANTED, REFUSED, AGREED, PASSED, DOUBLED, HELD_BACK, VANISHED ->
                throw new IllegalStateException("called off by " + event);
        };
    }
}
