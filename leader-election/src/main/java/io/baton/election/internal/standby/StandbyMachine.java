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
 * <p>Three rules shape it. Nothing is promoted before the breadcrumb is one's own, and that is written only where there
 * was none, or none that matters, or its author has been fenced. A promotion that was begun is followed by a demotion,
 * once the hook has returned. The breadcrumb goes only when the demotion has come to a good end.
 */
public final class StandbyMachine {

    /** How far it has come. */
    public enum Phase {
        /** Does not lead, or has done all there was to do. */
        STANDBY(ActiveStandby.State.STANDBY),
        /** Finds out who was active last. */
        READING(ActiveStandby.State.PROMOTING),
        /** A former demotion of this very node has failed: its hook is at work again. */
        CLEANING(ActiveStandby.State.PROMOTING),
        /** Has the former one fenced. */
        FENCING(ActiveStandby.State.PROMOTING),
        /** Told to stop; the fencer has still to return. */
        CALLED_OFF(ActiveStandby.State.PROMOTING),
        /** Something failed; tries again in a while. */
        PAUSING(ActiveStandby.State.PROMOTING),
        /** Gives this term up before anything was promoted. */
        LEAVING(ActiveStandby.State.PROMOTING),
        /** Writes its own breadcrumb. */
        CLAIMING(ActiveStandby.State.PROMOTING),
        /** Told to stop; what became of the breadcrumb is not known yet. */
        UNCLAIMING(ActiveStandby.State.PROMOTING),
        /** The hook is at work. */
        PROMOTING(ActiveStandby.State.PROMOTING),
        /** The hook has taken too long, and has still to return. */
        OVERRUN(ActiveStandby.State.PROMOTING),
        /** The promotion has failed; about to be told to stop. */
        FAILED(ActiveStandby.State.PROMOTING),
        /** Promoted. */
        ACTIVE(ActiveStandby.State.ACTIVE),
        /** Told to stop; the hook that promotes has still to return. */
        CANCELLING(ActiveStandby.State.DEMOTING),
        /** The hook is at work. */
        DEMOTING(ActiveStandby.State.DEMOTING),
        /** Demoted; removes its breadcrumb. */
        SWEEPING(ActiveStandby.State.DEMOTING);

        private final ActiveStandby.State shown;

        Phase(ActiveStandby.State shown) {
            this.shown = shown;
        }

        /** What users see of it. */
        public ActiveStandby.State shown() {
            return shown;
        }
    }

    /** What can happen to it. */
    enum Event {
        /** This node leads. */
        ELECTED,
        /** Told to stop, for whatever reason. */
        STOP,
        /** Nobody has to be fenced. */
        CLEAR,
        /** It was this very node, whose demotion has failed. */
        UNCLEAN,
        /** Somebody has to be fenced. */
        SUSPECT,
        /** The breadcrumb is this node's, of this term. */
        CLAIMED,
        /** The store did not answer, or refused. */
        UNSURE,
        /** The former one is fenced. */
        FENCED,
        /** Fencing has failed. */
        UNFENCED,
        /** Fencing has failed too often, or does not return. */
        EXHAUSTED,
        /** What runs has used up its budget. */
        OVERDUE,
        /** The hook has returned. */
        RETURNED,
        /** The hook has thrown. */
        THREW,
        /** The pause is over. */
        AGAIN,
        /** An operator wants what waits to be tried again at once. */
        WOKEN,
        /** The breadcrumb is gone. */
        SWEPT,
        /** The breadcrumb cannot be removed any more, or not in time. */
        KEPT
    }

    /** What is to be done, in this order. */
    enum Effect {
        /** Interrupt what runs. */
        INTERRUPT,
        /** Read the breadcrumb. */
        READ,
        /** Have its author fenced. */
        FENCE,
        /** Write one's own breadcrumb in its place. */
        CLAIM,
        /** Begin the hook that promotes. */
        PROMOTE,
        /** Begin the hook that demotes. */
        DEMOTE,
        /** Remove the breadcrumb. */
        SWEEP,
        /** Try again in a while. */
        PAUSE,
        /** Leave the election for a while; it will tell to stop. */
        LEAVE,
        /** The work of this term is over. */
        END
    }

    /** The next phase and what is to be done. */
    record Step(Phase next, Set<Effect> effects) {}

    private StandbyMachine() {}

    /** One step. What does not concern a phase changes nothing. */
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
            case UNFENCED -> to(Phase.PAUSING, PAUSE);
            case EXHAUSTED -> to(Phase.LEAVING, LEAVE);
            case OVERDUE -> to(Phase.FENCING, INTERRUPT);
            case STOP -> to(Phase.CALLED_OFF, INTERRUPT);
            default -> to(Phase.FENCING);
        };
    }

    private static Step calledOff(Event event) {
        return switch (event) {
            case FENCED, UNFENCED, EXHAUSTED -> to(Phase.STANDBY, END);
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
            case STOP -> to(Phase.UNCLAIMING);
            default -> to(Phase.CLAIMING);
        };
    }

    private static Step unclaiming(Event event) {
        return switch (event) {
            case CLAIMED -> to(Phase.SWEEPING, SWEEP);
            case UNSURE -> to(Phase.STANDBY, END);
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
            case UNSURE -> to(Phase.SWEEPING, PAUSE);
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
