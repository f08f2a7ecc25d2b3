package io.baton.election.internal.handover;

import static io.baton.election.internal.handover.HandOverMachine.Effect.AGREE;
import static io.baton.election.internal.handover.HandOverMachine.Effect.FAIL;
import static io.baton.election.internal.handover.HandOverMachine.Effect.GIVE_BACK;
import static io.baton.election.internal.handover.HandOverMachine.Effect.OFFER;
import static io.baton.election.internal.handover.HandOverMachine.Effect.READ_LINE;
import static io.baton.election.internal.handover.HandOverMachine.Effect.READ_RECORD;
import static io.baton.election.internal.handover.HandOverMachine.Effect.RECORD_DONE;
import static io.baton.election.internal.handover.HandOverMachine.Effect.RECORD_FAILURE;
import static io.baton.election.internal.handover.HandOverMachine.Effect.REMOVE_BETWEEN;
import static io.baton.election.internal.handover.HandOverMachine.Effect.RESOLVE;
import static io.baton.election.internal.handover.HandOverMachine.Effect.SUCCEED;
import static io.baton.election.internal.handover.HandOverMachine.Effect.TRANSFER;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * One hand-over on the leader's side, as a pure function. Before {@link Effect#AGREE} the leader's work is not
 * affected, and every failure leaves it leading. Once its entry is being given up, only the store's answer ends the
 * hand-over.
 */
final class HandOverMachine {

    /** The states of a hand-over. */
    enum State {
        /** Reads the line, to find the candidate. */
        SEEKING,
        /** Reads the record, which has nothing of this hand-over yet. */
        PREPARING,
        /** The offer is in the record, or being written; the candidate's answer is due. */
        OFFERED,
        /** The record had changed before the offer; reads it again. */
        REPEATING,
        /** The candidate is ready; entries between are removed. */
        CLEARING,
        /** No entry is between; the leader's work must stop. */
        AGREED,
        /** The work has stopped, and the leader's entry is being given up. */
        TRANSFERRING,
        /** Reads the record for the outcome of that. */
        RESOLVING,
        /** Over. */
        OVER
    }

    /** The events of a hand-over. */
    enum Event {
        /** The candidate is behind the leader. */
        FOUND,
        /** The candidate leads already. */
        ALREADY,
        /** The record was read, and the offer may be written. */
        READ,
        /** The offer was not written, because the record or the line has changed. */
        NOT_OFFERED,
        /** The candidate is ready. */
        READY,
        /** The candidate refuses. */
        REFUSED,
        /** Some entries between are removed, or have left; others may remain. */
        REMOVED,
        /** They were not removed, or the outcome is unknown. */
        NOT_REMOVED,
        /** No entry is between. */
        CLEARED,
        /** The leader's work has stopped. */
        STOPPED,
        /** The entry is given up in the candidate's favour. */
        TRANSFERRED,
        /** It was not, or the outcome is unknown. */
        NOT_TRANSFERRED,
        /** The record says that it was. */
        RESOLVED,
        /** The record does not say so. */
        NOT_RESOLVED,
        /** The store, or its contents, makes it impossible. */
        FAILED,
        /** The time is over. */
        LATE,
        /** The leader cancels it. */
        CANCEL
    }

    /** The effects to execute, in this order. */
    enum Effect {
        /** Write the offer. */
        OFFER,
        /** Read the record. */
        READ_RECORD,
        /** Read the entries between, and whether both still stand. */
        READ_LINE,
        /** Remove entries between. */
        REMOVE_BETWEEN,
        /** Stop the leader's work; no time limit applies any more. */
        AGREE,
        /** Give up the entry in the candidate's favour, in one transaction. */
        TRANSFER,
        /** Release the entry, if it is still there. */
        GIVE_BACK,
        /** Read the outcome. */
        RESOLVE,
        /** Write that it is done. */
        RECORD_DONE,
        /** End with success. */
        SUCCEED,
        /** End with failure, and the reason. */
        FAIL,
        /** Write that it has failed, if possible. */
        RECORD_FAILURE
    }

    /** The next state, and the effects. */
    record Step(State next, Set<Effect> effects) {}

    private HandOverMachine() {}

    /**
     * One step.
     *
     * @param asked whether the record has a request for it, so that it is in the record from the start
     */
    static Step step(State state, Event event, boolean asked) {
        return switch (state) {
            case SEEKING -> seeking(event, asked);
            case PREPARING -> preparing(event);
            case OFFERED -> offered(event);
            case REPEATING -> repeating(event);
            case CLEARING -> clearing(event);
            case AGREED -> agreed(event);
            case TRANSFERRING -> transferring(event);
            case RESOLVING -> resolving(event);
            case OVER -> to(State.OVER);
        };
    }

    private static Step seeking(Event event, boolean asked) {
        return switch (event) {
            case FOUND -> asked ? to(State.OFFERED, OFFER) : to(State.PREPARING, READ_RECORD);
            case ALREADY -> asked ? to(State.OVER, RECORD_DONE, SUCCEED) : to(State.OVER, SUCCEED);
            case FAILED, LATE, CANCEL -> asked ? to(State.OVER, FAIL, RECORD_FAILURE) : to(State.OVER, FAIL);
            default -> to(State.SEEKING);
        };
    }

    private static Step preparing(Event event) {
        return switch (event) {
            case READ -> to(State.OFFERED, OFFER);
            case FAILED, LATE, CANCEL -> to(State.OVER, FAIL);
            default -> to(State.PREPARING);
        };
    }

    /** An offer of unknown outcome waits for the candidate's answer, too. */
    private static Step offered(Event event) {
        return switch (event) {
            case NOT_OFFERED -> to(State.REPEATING, READ_RECORD);
            case READY -> to(State.CLEARING, REMOVE_BETWEEN);
            case REFUSED, FAILED, LATE, CANCEL -> to(State.OVER, FAIL, RECORD_FAILURE);
            default -> to(State.OFFERED);
        };
    }

    private static Step repeating(Event event) {
        return switch (event) {
            case READ -> to(State.OFFERED, OFFER);
            case READY -> to(State.CLEARING, REMOVE_BETWEEN);
            case REFUSED, FAILED, LATE, CANCEL -> to(State.OVER, FAIL, RECORD_FAILURE);
            default -> to(State.REPEATING);
        };
    }

    private static Step clearing(Event event) {
        return switch (event) {
            case REMOVED -> to(State.CLEARING, REMOVE_BETWEEN);
            case NOT_REMOVED -> to(State.CLEARING, READ_LINE);
            case CLEARED -> to(State.AGREED, AGREE);
            case REFUSED, FAILED, LATE, CANCEL -> to(State.OVER, FAIL, RECORD_FAILURE);
            default -> to(State.CLEARING);
        };
    }

    private static Step agreed(Event event) {
        return switch (event) {
            case STOPPED -> to(State.TRANSFERRING, TRANSFER);
            case CANCEL -> to(State.OVER, FAIL, RECORD_FAILURE);
            default -> to(State.AGREED);
        };
    }

    private static Step transferring(Event event) {
        return switch (event) {
            case TRANSFERRED -> to(State.OVER, GIVE_BACK, SUCCEED);
            case NOT_TRANSFERRED -> to(State.RESOLVING, GIVE_BACK, RESOLVE);
            default -> to(State.TRANSFERRING);
        };
    }

    private static Step resolving(Event event) {
        return switch (event) {
            case RESOLVED -> to(State.OVER, SUCCEED);
            case NOT_RESOLVED -> to(State.OVER, FAIL);
            default -> to(State.RESOLVING);
        };
    }

    private static Step to(State next, Effect... effects) {
        Set<Effect> ordered = EnumSet.noneOf(Effect.class);
        Collections.addAll(ordered, effects);
        return new Step(next, Collections.unmodifiableSet(ordered));
    }
}
