package io.baton;

import java.time.Duration;
import java.time.Instant;

/**
 * The part of {@link Telemetry} that reports elections, and active and standby nodes. What {@link Telemetry} says of
 * threads, of slow listeners and of cost holds here. Implement {@link Telemetry}.
 *
 * <p>Each coordinator reports its own candidates and nodes. Terms and the states of nodes are never dropped; everything
 * else here may be.
 */
public interface ElectionTelemetry {

    /** A candidate leads: its term has begun. Never dropped. */
    default void termBegan(TermBegan event) {}

    /** A leader's work was told to stop. Never dropped. */
    default void termStopping(TermStopping event) {}

    /** A leader's work was told to stop, and has not stopped in time. Never dropped. */
    default void termLate(TermLate event) {}

    /** A leader's work has stopped: its term is over. Never dropped. */
    default void termEnded(TermEnded event) {}

    /** A leader was asked to hand over, or that came to an end. */
    default void handOver(HandOver event) {}

    /** A candidate found its election paused, or resumed. */
    default void electionPause(ElectionPause event) {}

    /** An active or standby node came to another state. Never dropped. */
    default void standby(StandbyChange event) {}

    /** An attempt to fence a former active node is over. */
    default void fencing(FencingAttempt event) {}

    /** A node's health checks came to another verdict. */
    default void health(HealthChange event) {}

    /**
     * A candidate leads.
     *
     * @param at when, by this machine's wall clock
     * @param election name of the election, or its path
     * @param candidate the candidate's id
     * @param term the term: the fencing token of its entry
     * @param waited since it became a candidate, or since its last term ended; a pause of the election counts
     */
    record TermBegan(Instant at, String election, String candidate, long term, Duration waited) {}

    /**
     * A leader's work was told to stop.
     *
     * @param at when, by this machine's wall clock
     * @param election name of the election, or its path
     * @param candidate the candidate's id
     * @param term the term
     * @param reason why it has to stop
     * @param remaining how long the candidate is certain to lead
     */
    record TermStopping(
            Instant at, String election, String candidate, long term, TermEnded.Reason reason, Duration remaining) {}

    /**
     * A leader's work has not stopped in time: within its stop timeout, or, if the leadership was lost since, by then.
     * Its last resort is taken now.
     *
     * @param at when, by this machine's wall clock
     * @param election name of the election, or its path
     * @param candidate the candidate's id
     * @param term the term
     * @param reason why it has to stop
     * @param since how long ago it was told to
     */
    record TermLate(
            Instant at, String election, String candidate, long term, TermEnded.Reason reason, Duration since) {}

    /**
     * A leader's work has stopped.
     *
     * @param at when, by this machine's wall clock
     * @param election name of the election, or its path
     * @param candidate the candidate's id
     * @param term the term
     * @param reason what ended it
     * @param lasted from its beginning until the work had stopped
     * @param stopTook from telling the work to stop until it had; zero if it was not told
     * @param late whether it had not stopped in time
     * @param lastResort whether the candidate's last resort was called for that
     * @param failure what the work threw, for people; empty if it returned, or was interrupted as it should be
     */
    record TermEnded(
            Instant at,
            String election,
            String candidate,
            long term,
            Reason reason,
            Duration lasted,
            Duration stopTook,
            boolean late,
            boolean lastResort,
            String failure) {

        /** What ends a term. */
        public enum Reason {
            /** Told to stop: no contact with the store. */
            JEOPARDY,
            /** Told to stop: the leadership was lost. */
            LOST,
            /** Told to stop: the candidate resigned. */
            RESIGNED,
            /** Told to stop: the leadership was handed over. */
            HANDED_OVER,
            /** Told to stop: the candidacy or its coordinator was closed. */
            CLOSED,
            /** The work returned without having been told to. */
            RETURNED,
            /** The work threw without having been told to stop. */
            THREW
        }
    }

    /**
     * A leader was asked to hand over, or that came to an end.
     *
     * @param at when, by this machine's wall clock
     * @param election name of the election, or its path
     * @param candidate id of the candidate that was asked to hand over
     * @param to id of the candidate that is to lead next
     * @param phase how far it has come
     * @param took since the leader began with it; zero if it did not
     * @param why the reason if it was refused or failed; otherwise empty
     */
    record HandOver(Instant at, String election, String candidate, String to, Phase phase, Duration took, String why) {

        /** How far a hand-over has come. */
        public enum Phase {
            /** Asked for; the leader looks whether the other candidate is ready. */
            STARTED,
            /** The other candidate is first, or was the leader already. */
            DONE,
            /** Asked for, and not begun. */
            REFUSED,
            /** Begun, and nothing came of it. */
            FAILED
        }
    }

    /**
     * A candidate found its election paused, or resumed.
     *
     * @param at when, by this machine's wall clock
     * @param election name of the election
     * @param candidate the candidate's id
     * @param paused whether it is paused now
     * @param barred whether this candidate must not lead until it is resumed
     * @param by who paused it; empty if it is resumed
     * @param why the reason of the pause; empty if it is resumed, or none was given
     */
    record ElectionPause(
            Instant at, String election, String candidate, boolean paused, boolean barred, String by, String why) {}

    /**
     * A node came to another state.
     *
     * @param at when, by this machine's wall clock
     * @param election name of the election
     * @param node the node's id
     * @param state the new state
     * @param term the term in which it leads, or stops to; 0 in {@link State#STANDBY} and {@link State#CLOSED}
     * @param before how long the state before lasted; zero for the first
     */
    record StandbyChange(Instant at, String election, String node, State state, long term, Duration before) {

        /** How far a node has come. */
        public enum State {
            /** Not active: it waits for its turn, or is not healthy. */
            STANDBY,
            /** Elected, and on the way to be active. */
            STARTING,
            /** Elected, and has the former active node fenced, or waits to try that again. */
            FENCING,
            /** The active one. */
            ACTIVE,
            /** Stops being active, or stops on the way there. */
            STOPPING,
            /** Elected, and could not become active; gives this term up. */
            FAILED,
            /** Closed, for good. */
            CLOSED
        }
    }

    /**
     * An attempt to fence a former active node is over.
     *
     * @param at when, by this machine's wall clock
     * @param election name of the election
     * @param node id of the node that fences
     * @param fenced id of the node that is fenced
     * @param fencedTerm the term in which that node was active
     * @param attempt which attempt within this term, from 1
     * @param outcome how it ended
     * @param took how long the fencer ran
     * @param failure what the fencer threw, for people; empty if nothing
     */
    record FencingAttempt(
            Instant at,
            String election,
            String node,
            String fenced,
            long fencedTerm,
            int attempt,
            Outcome outcome,
            Duration took,
            String failure) {

        /** How an attempt to fence ends. */
        public enum Outcome {
            /** The former active node is fenced. */
            FENCED,
            /** The fencer threw. */
            FAILED,
            /** The fencer was interrupted when its budget was used up, and returned then without success. */
            TIMED_OUT,
            /** The fencer was interrupted because the node leads no more, and returned then without success. */
            CANCELLED,
            /** The fencer was interrupted and goes on; it is waited for no longer. */
            ABANDONED
        }
    }

    /**
     * A node's health checks came to another verdict.
     *
     * @param at when, by this machine's wall clock
     * @param election name of the election
     * @param node the node's id
     * @param healthy whether it is fit to be active
     */
    record HealthChange(Instant at, String election, String node, boolean healthy) {}
}
