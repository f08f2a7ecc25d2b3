package io.baton.spi.support;

import static io.baton.spi.support.PlaceMachine.Effect.CLEAR;
import static io.baton.spi.support.PlaceMachine.Effect.CLOSE;
import static io.baton.spi.support.PlaceMachine.Effect.CLOSE_WITH_SESSION;
import static io.baton.spi.support.PlaceMachine.Effect.JOIN;
import static io.baton.spi.support.PlaceMachine.Effect.LOST;
import static io.baton.spi.support.PlaceMachine.Effect.REMOVE;
import static io.baton.spi.support.PlaceMachine.Effect.STOP;
import static io.baton.spi.support.PlaceMachine.Effect.WAITING;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * The life of a place in a line, from the request that joins the line to the removal of the entry, as a pure function.
 *
 * <p>Three rules shape it. Only an entry that is known to stand, and has not been left, becomes clear. A place that is
 * left removes its entry once it is known whether there is one: an entry in doubt is neither there nor gone. The
 * listener receives {@code waiting}, {@code clear} and {@code lost} in this order, each at most once, and nothing after
 * the place was left.
 */
public final class PlaceMachine {

    /** Whether there is an entry. */
    public enum Phase {
        /** Nothing was sent, or it had no effect. */
        ABSENT,
        /** The join is in flight. */
        JOINING,
        /** The join may have been applied, or may yet be. */
        DOUBT,
        /** The entry is in the line. Others stand ahead, or a request is about to show whether they do. */
        STANDING,
        /** No entry stands ahead. */
        CLEAR,
        /** The entry is gone, or will be with its session. */
        CLOSED
    }

    /**
     * The state of a place.
     *
     * @param phase whether there is an entry
     * @param waited whether the listener has been told that others stand ahead
     * @param left whether the place was left, or is lost
     */
    public record State(Phase phase, boolean waited, boolean left) {

        /** A new place. */
        public static final State NEW = new State(Phase.ABSENT, false, false);

        /** Whether the entry is known to stand, wanted or not. */
        public boolean entered() {
            return phase == Phase.STANDING || phase == Phase.CLEAR;
        }

        /** Whether the entry is in the line, and wanted. */
        public boolean stands() {
            return entered() && !left;
        }

        /** Whether the entry is in the line, wanted, and not known to be the first. */
        public boolean waits() {
            return phase == Phase.STANDING && !left;
        }

        private State in(Phase next) {
            return new State(next, waited, left);
        }

        private State leaving() {
            return new State(phase, waited, true);
        }
    }

    /** The events of a place. */
    public enum Event {
        /** Wanted, or wanted again after a join without effect. */
        START,
        /** The join was sent. */
        SENT,
        /** The entry was seen in the line. */
        JOINED,
        /** The join was not answered. */
        UNANSWERED,
        /** The join has had no effect, and will have none. */
        UNDONE,
        /** Others stand ahead. */
        BEHIND,
        /** No entry stands ahead. */
        FIRST,
        /** There is no entry, and there will be none: refused, or removed by somebody else. */
        GONE,
        /** The place cannot be kept. If there is an entry, it stands. */
        STUCK,
        /** As {@link #STUCK}, but the holder may still be at work: the entry of a hold is removed later. */
        UNSEEN,
        /** The caller leaves. */
        LEAVE,
        /** The entry has been removed at this place's request. */
        REMOVED,
        /** The session has ended, and the entry ends with it. */
        ENDED
    }

    /** The effects of a step, in this order. */
    public enum Effect {
        /** Stop waiting or holding: drop watches, prove nothing any more. */
        STOP,
        /** Tell the listener that the place is lost. */
        LOST,
        /** Ask for an entry. */
        JOIN,
        /** Tell the listener that others stand ahead. */
        WAITING,
        /** Tell the listener that no entry stands ahead. */
        CLEAR,
        /** Remove the entry. */
        REMOVE,
        /** There is no entry: complete the caller's {@code leave}. */
        CLOSE,
        /** Complete the caller's {@code leave} once the session has certainly ended. */
        CLOSE_WITH_SESSION
    }

    /** The next state and the effects. */
    public record Step(State next, Set<Effect> effects) {}

    private PlaceMachine() {}

    /** Returns the step for an event. */
    public static Step step(State state, Event event) {
        if (state.phase() == Phase.CLOSED) {
            return to(event == Event.LEAVE ? state.leaving() : state);
        }
        return switch (event) {
            case START -> start(state);
            case SENT -> from(state, Phase.ABSENT, Phase.JOINING);
            case JOINED -> joined(state);
            case UNANSWERED -> from(state, Phase.JOINING, Phase.DOUBT);
            case UNDONE -> mayBeJoining(state) ? to(state.in(Phase.ABSENT)) : to(state);
            case BEHIND ->
                state.waits() && !state.waited() ? to(new State(state.phase(), true, false), WAITING) : to(state);
            case FIRST -> state.waits() ? to(state.in(Phase.CLEAR), CLEAR) : to(state);
            case GONE -> ends(state, CLOSE);
            case STUCK -> state.left() ? removal(state) : and(removal(state.leaving()), STOP, LOST);
            case UNSEEN -> unseen(state);
            case LEAVE -> state.left() ? to(state) : and(removal(state.leaving()), STOP);
            case REMOVED -> to(state.in(Phase.CLOSED), CLOSE);
            case ENDED -> ends(state, CLOSE_WITH_SESSION);
        };
    }

    private static Step start(State state) {
        if (state.phase() != Phase.ABSENT) {
            return to(state);
        }
        return state.left() ? to(state.in(Phase.CLOSED), CLOSE) : to(state, JOIN);
    }

    private static Step joined(State state) {
        if (!mayBeJoining(state)) {
            return to(state);
        }
        State standing = state.in(Phase.STANDING);
        return state.left() ? removal(standing) : to(standing);
    }

    private static boolean mayBeJoining(State state) {
        return state.phase() == Phase.JOINING || state.phase() == Phase.DOUBT;
    }

    private static Step unseen(State state) {
        return state.phase() == Phase.CLEAR && !state.left()
                ? to(state.leaving(), STOP, LOST)
                : step(state, Event.STUCK);
    }

    /** What becomes of the entry of a place that has been left. */
    private static Step removal(State state) {
        return switch (state.phase()) {
            case ABSENT -> to(state.in(Phase.CLOSED), CLOSE);
            case STANDING, CLEAR -> to(state, REMOVE);
            case JOINING, DOUBT, CLOSED -> to(state); // once it is known whether there is an entry
        };
    }

    private static Step ends(State state, Effect close) {
        Step closed = to(state.leaving().in(Phase.CLOSED), close);
        return state.left() ? closed : and(closed, STOP, LOST);
    }

    private static Step from(State state, Phase expected, Phase next) {
        return to(state.phase() == expected ? state.in(next) : state);
    }

    private static Step to(State next, Effect... effects) {
        return and(new Step(next, Set.of()), effects);
    }

    private static Step and(Step step, Effect... more) {
        Set<Effect> effects = EnumSet.noneOf(Effect.class);
        effects.addAll(step.effects());
        Collections.addAll(effects, more);
        return new Step(step.next(), Collections.unmodifiableSet(effects));
    }
}
