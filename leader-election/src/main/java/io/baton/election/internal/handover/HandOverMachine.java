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
 * One hand-over, as the leader carries it out, as a pure function. Until {@link Effect#AGREE} nothing has happened to the
 * leader's work, and every failure leaves it leading; once its entry is being given up, nothing but the store's answer ends
 * the hand-over.
 */
final class HandOverMachine {

    /** How far it has come. */
    enum State {
        /** Reads the line, to find the candidate. */
        SEEKING,
        /** Reads the record, in which nothing has been written of this hand-over. */
        PREPARING,
        /** The offer is in the record, or on its way; the candidate is to say whether it is ready. */
        OFFERED,
        /** The record had changed before the offer; reads it again. */
        REPEATING,
        /** The candidate is ready; entries that stand between are removed. */
        CLEARING,
        /** Nothing stands between; the leader's work is told to stop. */
        AGREED,
        /** The work has stopped, and the leader's entry is being given up. */
        TRANSFERRING,
        /** The record has to tell what has become of that. */
        RESOLVING,
        /** Over. */
        OVER
    }

    /** What can happen to it. */
    enum Event {
        /** The candidate stands behind the leader. */
        FOUND,
        /** The candidate leads already. */
        ALREADY,
        /** The record was read, and the offer may be written. */
        READ,
        /** The offer was not written, as the record or the line is not as it was seen. */
        NOT_OFFERED,
        /** The candidate is ready. */
        READY,
        /** The candidate does not want it. */
        REFUSED,
        /** Some that stood between are removed, or were seen to have left; others may be there. */
        REMOVED,
        /** They were not removed, or it is not known. */
        NOT_REMOVED,
        /** Nothing stands between. */
        CLEARED,
        /** The leader's work has stopped. */
        STOPPED,
        /** The entry is given up in the candidate's favour. */
        TRANSFERRED,
        /** It was not, or it is not known. */
        NOT_TRANSFERRED,
        /** The record says that it was. */
        RESOLVED,
        /** The record does not say so. */
        NOT_RESOLVED,
        /** The store, or what it shows, makes it impossible. */
        FAILED,
        /** The time is over. */
        LATE,
        /** The leader does not want it, or cannot. */
        CANCEL
    }

    /** What is to be done, in this order. */
    enum Effect {
        /** Write the offer. */
        OFFER,
        /** Read the record. */
        READ_RECORD,
        /** Read who stands between, and whether both still stand. */
        READ_LINE,
        /** Remove entries that stand between. */
        REMOVE_BETWEEN,
        /** Have the leader's work stopped; there is no limit any more. */
        AGREE,
        /** Give up the entry in the candidate's favour, in one transaction. */
        TRANSFER,
        /** Have the entry given back, if it is still there. */
        GIVE_BACK,
        /** Read what has become of it. */
        RESOLVE,
        /** Write that it is done. */
        RECORD_DONE,
        /** End well. */
        SUCCEED,
        /** End, and say why. */
        FAIL,
        /** Write that it has failed, if that can still be. */
        RECORD_FAILURE
    }

    /** The next state and what is to be done. */
    record Step(State next, Set<Effect> effects) {}

    private HandOverMachine() {}

    /**
     * One step.
     *
     * @param asked whether the record asks for it: then something has been written of it from the start
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

    /** An offer of unknown outcome waits for the candidate's answer as well. */
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
