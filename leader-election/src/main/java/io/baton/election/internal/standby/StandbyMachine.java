package io.baton.election.internal.standby;

import static io.baton.election.internal.standby.StandbyMachine.Effect.CLAIM;
import static io.baton.election.internal.standby.StandbyMachine.Effect.DEMOTE;
import static io.baton.election.internal.standby.StandbyMachine.Effect.END;
import static io.baton.election.internal.standby.StandbyMachine.Effect.FENCE;
import static io.baton.election.internal.standby.StandbyMachine.Effect.INTERRUPT;
import static io.baton.election.internal.standby.StandbyMachine.Effect.LEAVE;
import static io.baton.election.internal.standby.StandbyMachine.Effect.PAUSE;
import static io.baton.election.internal.standby.StandbyMachine.Effect.PROMOTE;
import static io.baton.election.internal.standby.StandbyMachine.Effect.READ;
import static io.baton.election.internal.standby.StandbyMachine.Effect.SWEEP;

import io.baton.election.ActiveStandby;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * One term of a node, from the election to the end of its work, as a pure function.
 *
 * <p>Three rules shape it. No promotion starts before the node has its own breadcrumb. It writes that only if there was
 * no breadcrumb, or an irrelevant one, or its author has been fenced. Each promotion is followed by a demotion, once
 * its hook has returned. The breadcrumb is removed only after a successful demotion.
 */
public final class StandbyMachine {

    /** The phases of a term. */
    public enum Phase {
        /** Does not lead, or has finished its term. */
        STANDBY(ActiveStandby.State.STANDBY),
        /** Reads which node was active last. */
        READING(ActiveStandby.State.PROMOTING),
        /** An earlier demotion of this node has failed; its hook runs again. */
        CLEANING(ActiveStandby.State.PROMOTING),
        /** Fences the former active node. */
        FENCING(ActiveStandby.State.PROMOTING),
        /** Must stop; the fencer has not returned yet. */
        CALLED_OFF(ActiveStandby.State.PROMOTING),
        /** Something has failed; tries again after a pause. */
        PAUSING(ActiveStandby.State.PROMOTING),
        /** Gives up this term before any promotion. */
        LEAVING(ActiveStandby.State.PROMOTING),
        /** Writes its own breadcrumb. */
        CLAIMING(ActiveStandby.State.PROMOTING),
        /** Must stop; the outcome of writing the breadcrumb is unknown yet. */
        UNCLAIMING(ActiveStandby.State.PROMOTING),
        /** The hook that promotes is running. */
        PROMOTING(ActiveStandby.State.PROMOTING),
        /** The hook has exceeded its budget, and has not returned yet. */
        OVERRUN(ActiveStandby.State.PROMOTING),
        /** The promotion has failed; the order to stop follows. */
        FAILED(ActiveStandby.State.PROMOTING),
        /** Promoted. */
        ACTIVE(ActiveStandby.State.ACTIVE),
        /** Must stop; the hook that promotes has not returned yet. */
        CANCELLING(ActiveStandby.State.DEMOTING),
        /** The hook that demotes is running. */
        DEMOTING(ActiveStandby.State.DEMOTING),
        /** Demoted; removes its breadcrumb. */
        SWEEPING(ActiveStandby.State.DEMOTING);

        private final ActiveStandby.State shown;

        Phase(ActiveStandby.State shown) {
            this.shown = shown;
        }

        /** Returns the public state. */
        public ActiveStandby.State shown() {
            return shown;
        }
    }

    /** The events of a term. */
    enum Event {
        /** This node leads. */
        ELECTED,
        /** The term must stop, for any reason. */
        STOP,
        /** No fencing is needed. */
        CLEAR,
        /** No other node needs fencing, or none any more; but an earlier demotion of this one has failed. */
        UNCLEAN,
        /** The former active node must be fenced. */
        SUSPECT,
        /** The breadcrumb is this node's, of this term. */
        CLAIMED,
        /** The store did not answer, or refused. */
        UNSURE,
        /** The former active node is fenced. */
        FENCED,
        /** Fencing has failed. */
        UNFENCED,
        /** Fencing has failed too often, or does not return; or the store has refused the breadcrumb too often. */
        EXHAUSTED,
        /** The running job has exceeded its budget. */
        OVERDUE,
        /** The hook has returned. */
        RETURNED,
        /** The hook has thrown. */
        THREW,
        /** The pause is over. */
        AGAIN,
        /** An operator requests an immediate retry. */
        WOKEN,
        /** The breadcrumb is gone. */
        SWEPT,
        /** The breadcrumb cannot be removed any more, or not in time. */
        KEPT
    }

    /** The effects to execute, in this order. */
    enum Effect {
        /** Interrupt the running job. */
        INTERRUPT,
        /** Read the breadcrumb. */
        READ,
        /** Fence its author. */
        FENCE,
        /** Write this node's breadcrumb in its place. */
        CLAIM,
        /** Start the hook that promotes. */
        PROMOTE,
        /** Start the hook that demotes. */
        DEMOTE,
        /** Remove the breadcrumb. */
        SWEEP,
        /** Try again after a pause. */
        PAUSE,
        /** Leave the election for a while; a stop of the term follows. */
        LEAVE,
        /** End the work of this term. */
        END
    }

    /** The next phase, and the effects. */
    record Step(Phase next, Set<Effect> effects) {}

    private StandbyMachine() {}

    /** One step. Events without meaning in a phase change nothing. */
    static Step step(Phase phase, Event event) {
        return switch (phase) {
            case STANDBY -> event == Event.ELECTED ? to(Phase.READING, READ) : to(phase);
            case READING -> reading(event);
            case CLEANING -> cleaning(event);
            case FENCING -> fencing(event);
            case CALLED_OFF -> calledOff(event);
            case PAUSING -> pausing(event);
            case LEAVING -> event == Event.STOP ? to(Phase.STANDBY, END) : to(phase);
            case CLAIMING -> claiming(event);
            case UNCLAIMING -> unclaiming(event);
            case PROMOTING -> promoting(event);
            case OVERRUN -> overrun(event);
            case FAILED, ACTIVE -> event == Event.STOP ? to(Phase.DEMOTING, DEMOTE) : to(phase);
            case CANCELLING -> returned(event) ? to(Phase.DEMOTING, DEMOTE) : to(phase);
            case DEMOTING -> demoting(event);
            case SWEEPING -> sweeping(event);
        };
    }

    private static Step reading(Event event) {
        return switch (event) {
            case CLEAR -> to(Phase.CLAIMING, CLAIM);
            case UNCLEAN -> to(Phase.CLEANING, DEMOTE);
            case SUSPECT -> to(Phase.FENCING, FENCE);
            case CLAIMED -> to(Phase.PROMOTING, PROMOTE);
            case UNSURE -> to(Phase.PAUSING, PAUSE);
            case EXHAUSTED -> to(Phase.LEAVING, LEAVE);
            case STOP -> to(Phase.STANDBY, END);
            default -> to(Phase.READING);
        };
    }

    private static Step cleaning(Event event) {
        return switch (event) {
            case RETURNED -> to(Phase.CLAIMING, CLAIM);
            case THREW -> to(Phase.LEAVING, LEAVE);
            case OVERDUE -> to(Phase.OVERRUN, INTERRUPT, LEAVE);
            case STOP -> to(Phase.DEMOTING);
            default -> to(Phase.CLEANING);
        };
    }

    private static Step fencing(Event event) {
        return switch (event) {
            case FENCED -> to(Phase.CLAIMING, CLAIM);
            case UNCLEAN -> to(Phase.CLEANING, DEMOTE);
            case UNFENCED -> to(Phase.PAUSING, PAUSE);
            case EXHAUSTED -> to(Phase.LEAVING, LEAVE);
            case OVERDUE -> to(Phase.FENCING, INTERRUPT);
            case STOP -> to(Phase.CALLED_OFF, INTERRUPT);
            default -> to(Phase.FENCING);
        };
    }

    private static Step calledOff(Event event) {
        return switch (event) {
            case FENCED, UNCLEAN, UNFENCED, EXHAUSTED -> to(Phase.STANDBY, END);
            default -> to(Phase.CALLED_OFF);
        };
    }

    private static Step pausing(Event event) {
        return switch (event) {
            case AGAIN, WOKEN -> to(Phase.READING, READ);
            case STOP -> to(Phase.STANDBY, END);
            default -> to(Phase.PAUSING);
        };
    }

    private static Step claiming(Event event) {
        return switch (event) {
            case CLAIMED -> to(Phase.PROMOTING, PROMOTE);
            case UNSURE -> to(Phase.PAUSING, PAUSE);
            case EXHAUSTED -> to(Phase.LEAVING, LEAVE);
            case STOP -> to(Phase.UNCLAIMING);
            default -> to(Phase.CLAIMING);
        };
    }

    private static Step unclaiming(Event event) {
        return switch (event) {
            case CLAIMED -> to(Phase.SWEEPING, SWEEP);
            case UNSURE, EXHAUSTED -> to(Phase.STANDBY, END);
            default -> to(Phase.UNCLAIMING);
        };
    }

    private static Step promoting(Event event) {
        return switch (event) {
            case RETURNED -> to(Phase.ACTIVE);
            case THREW -> to(Phase.FAILED, LEAVE);
            case OVERDUE -> to(Phase.OVERRUN, INTERRUPT, LEAVE);
            case STOP -> to(Phase.CANCELLING, INTERRUPT);
            default -> to(Phase.PROMOTING);
        };
    }

    private static Step overrun(Event event) {
        return switch (event) {
            case RETURNED, THREW -> to(Phase.FAILED);
            case STOP -> to(Phase.CANCELLING);
            default -> to(Phase.OVERRUN);
        };
    }

    private static Step demoting(Event event) {
        return switch (event) {
            case RETURNED -> to(Phase.SWEEPING, SWEEP);
            case THREW -> to(Phase.STANDBY, END);
            case OVERDUE -> to(Phase.DEMOTING, INTERRUPT);
            default -> to(Phase.DEMOTING);
        };
    }

    private static Step sweeping(Event event) {
        return switch (event) {
            case SWEPT, KEPT -> to(Phase.STANDBY, END);
            case UNSURE, EXHAUSTED -> to(Phase.SWEEPING, PAUSE);
            case AGAIN -> to(Phase.SWEEPING, SWEEP);
            default -> to(Phase.SWEEPING);
        };
    }

    private static boolean returned(Event event) {
        return event == Event.RETURNED || event == Event.THREW;
    }

    private static Step to(Phase next, Effect... effects) {
        Set<Effect> ordered = EnumSet.noneOf(Effect.class);
        Collections.addAll(ordered, effects);
        return new Step(next, Collections.unmodifiableSet(ordered));
    }
}
