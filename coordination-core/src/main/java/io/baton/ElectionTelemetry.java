package io.baton;

import java.time.Duration;
import java.time.Instant;

/**
 * The part of {@link Telemetry} that reports elections, and active and standby nodes. Listeners implement {@link
 * Telemetry}, which describes threads, slow listeners and cost.
 *
 * <p>Each coordinator reports its own candidates and nodes. Terms, and the states and the health of nodes, are never
 * dropped; other events may be.
 */
public interface ElectionTelemetry {

    /** A candidate's term began: it is the leader. Never dropped. */
    default void termBegan(TermBegan event) {}

    /** A leader's work was signalled to stop. Never dropped. */
    default void termStopping(TermStopping event) {}

    /** A leader's work did not stop in time. Never dropped. */
    default void termLate(TermLate event) {}

    /** A leader's work stopped: its term is over. Never dropped. */
    default void termEnded(TermEnded event) {}

    /** A hand-over was started or refused, is done, or failed. */
    default void handOver(HandOver event) {}

    /** A candidate's election was paused or resumed. */
    default void electionPause(ElectionPause event) {}

    /** An active or standby node changed its state. Never dropped. */
    default void standby(StandbyChange event) {}

    /** An attempt to fence a former active node ended. */
    default void fencing(FencingAttempt event) {}

    /** The result of a node's health checks changed. Never dropped. */
    default void health(HealthChange event) {}

    /**
     * A candidate's term began.
     *
     * @param at when, by this machine's wall clock
     * @param election name of the election, or its path
     * @param candidate the candidate's id
     * @param term the term: the fencing token of its entry
     * @param waited time since it became a candidate, or since its last term ended; includes a pause of the election
     */
    record TermBegan(Instant at, String election, String candidate, long term, Duration waited) {}

    /**
     * A leader's work was signalled to stop.
     *
     * @param at when, by this machine's wall clock
     * @param election name of the election, or its path
     * @param candidate the candidate's id
     * @param term the term
     * @param reason why it has to stop
     * @param remaining how long the candidate is certain to stay the leader
     */
    record TermStopping(
            Instant at, String election, String candidate, long term, TermEnded.Reason reason, Duration remaining) {}

    /**
     * A leader's work did not stop in time: within its stop timeout, or before the leadership was lost. Its last resort
     * is called now.
     *
     * @param at when, by this machine's wall clock
     * @param election name of the election, or its path
     * @param candidate the candidate's id
     * @param term the term
     * @param reason why it has to stop
     * @param since time since it was signalled to stop
     */
    record TermLate(
            Instant at, String election, String candidate, long term, TermEnded.Reason reason, Duration since) {}

    /**
     * A leader's work stopped.
     *
     * @param at when, by this machine's wall clock
     * @param election name of the election, or its path
     * @param candidate the candidate's id
     * @param term the term
     * @param reason what ended the term
     * @param lasted time from the beginning of the term until the work stopped
     * @param stopTook time from the signal to stop until the work stopped; zero if there was no signal
     * @param late whether the work did not stop in time
     * @param lastResort whether the candidate's last resort was called for that
     * @param failure what the work threw, for people; empty if it returned, or ended by the interrupt that signals to
     *     stop
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
            /** The work was signalled to stop, as contact with the store was lost. */
            JEOPARDY,
            /** The work was signalled to stop, as the leadership was lost. */
            LOST,
            /** The work was signalled to stop, as the candidate resigned. */
            RESIGNED,
            /** The work was signalled to stop, as the leadership was handed over. */
            HANDED_OVER,
            /** The work was signalled to stop, as the candidacy or its coordinator was closed. */
            CLOSED,
            /** The work returned without a signal to stop. */
            RETURNED,
            /** The work threw without a signal to stop. */
            THREW
        }
    }

    /**
     * A hand-over was started or refused, is done, or failed.
     *
     * @param at when, by this machine's wall clock
     * @param election name of the election, or its path
     * @param candidate id of the candidate that was asked to hand over
     * @param to id of the candidate that is to lead next
     * @param phase how far the hand-over has come
     * @param took time since the leader started it; zero if it did not
     * @param why the reason if it was refused or failed; otherwise empty
     */
    record HandOver(Instant at, String election, String candidate, String to, Phase phase, Duration took, String why) {

        /** How far a hand-over has come. */
        public enum Phase {
            /** Requested; the leader checks whether the other candidate is ready. */
            STARTED,
            /** The other candidate is first in line, or was the leader already. */
            DONE,
            /** Requested, and not started. */
            REFUSED,
            /** Started, and ended without success. */
            FAILED
        }
    }

    /**
     * A candidate's election was paused or resumed.
     *
     * @param at when, by this machine's wall clock
     * @param election name of the election
     * @param candidate the candidate's id
     * @param paused whether the election is paused now
     * @param barred whether this candidate must not lead until the election is resumed
     * @param by who paused the election; empty if it is resumed
     * @param why the reason of the pause; empty if the election is resumed, or no reason was given
     */
    record ElectionPause(
            Instant at, String election, String candidate, boolean paused, boolean barred, String by, String why) {}

    /**
     * An active or standby node changed its state.
     *
     * @param at when, by this machine's wall clock
     * @param election name of the election
     * @param node the node's id
     * @param state the new state
     * @param term the node's term, also while it ends; 0 in {@link State#STANDBY} and {@link State#CLOSED}
     * @param before how long the previous state lasted; zero for the first
     */
    record StandbyChange(Instant at, String election, String node, State state, long term, Duration before) {

        /** The states of a node. */
        public enum State {
            /** Not active: the node waits to be elected, or is not healthy. */
            STANDBY,
            /** Elected, and becoming active. */
            STARTING,
            /** Elected, and fencing the former active node, or waiting to retry that. */
            FENCING,
            /** Active. */
            ACTIVE,
            /** Ending its active state, or its start. */
            STOPPING,
            /** Elected, and could not become active; the node gives up this term. */
            FAILED,
            /** Closed. Final. */
            CLOSED
        }
    }

    /**
     * An attempt to fence a former active node ended.
     *
     * @param at when, by this machine's wall clock
     * @param election name of the election
     * @param node id of the node that fences
     * @param fenced id of the node that is fenced
     * @param fencedTerm the term in which that node was active
     * @param attempt number of the attempt within this term, from 1
     * @param outcome how it ended
     * @param took how long the fencer ran
     * @param failure what the fencer threw, for people; empty if it threw nothing
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
            /** The fencer was interrupted at the end of its time limit, and then threw. */
            TIMED_OUT,
            /**
             * The node was no longer certain to lead for long enough: the fencer was not called, or it was interrupted
             * and then threw.
             */
            CANCELLED,
            /** The fencer was interrupted and goes on running; the node no longer waits for it. */
            ABANDONED
        }
    }

    /**
     * The result of a node's health checks changed, or is the first.
     *
     * @param at when, by this machine's wall clock
     * @param election name of the election
     * @param node the node's id
     * @param healthy whether it is fit to be active
     */
    record HealthChange(Instant at, String election, String node, boolean healthy) {}
}
