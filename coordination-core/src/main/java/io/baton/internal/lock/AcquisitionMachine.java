package io.baton.internal.lock;

import static io.baton.internal.lock.AcquisitionMachine.Effect.ARM;
import static io.baton.internal.lock.AcquisitionMachine.Effect.EXTEND;
import static io.baton.internal.lock.AcquisitionMachine.Effect.FAIL;
import static io.baton.internal.lock.AcquisitionMachine.Effect.GRANT;
import static io.baton.internal.lock.AcquisitionMachine.Effect.JEOPARDY;
import static io.baton.internal.lock.AcquisitionMachine.Effect.LEAVE;
import static io.baton.internal.lock.AcquisitionMachine.Effect.LOST;
import static io.baton.internal.lock.AcquisitionMachine.Effect.PROVE;
import static io.baton.internal.lock.AcquisitionMachine.Effect.REJOIN;
import static io.baton.internal.lock.AcquisitionMachine.Effect.RELEASED;
import static io.baton.internal.lock.AcquisitionMachine.Effect.STEADY;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * The life of one acquisition, from joining the line to leaving it, as a pure function.
 *
 * <p>Two rules shape it. A grant needs that no entry stands ahead <em>and</em> that the session is proven alive at this
 * very step. A reply handled after a long pause must not become a hold. An acquisition that ends leaves the line,
 * whatever the reason, unless its entry is known to be gone.
 *
 * <p>Passing the deadline while waiting changes nothing: the place in the line may well be alive. It ends a hold, and
 * no later proof undoes that.
 *
 * <p>The end of the session removes the place. A waiter may begin again in the next session, at the end of the line and
 * with the rest of its time limit. A hold is lost.
 */
final class AcquisitionMachine {

    /** How far the acquisition has come. */
    enum State {
        /** Joining, or others stand ahead; or between two sessions, in no line at all. */
        WAITING,
        /** No entry ahead, but the session is not proven alive. */
        UNPROVEN,
        /** Granted. */
        HELD,
        /** Failed, lost or released. */
        DONE
    }

    /** The events of an acquisition. */
    enum Event {
        /** Joined, others ahead. */
        WAITS,
        /** No entry ahead any more. */
        CLEAR,
        /** The entry is not in the line, or the join failed. */
        GONE,
        /** The session has ended, and the entry with it. */
        ENDED,
        /** In contact again. */
        CONNECTED,
        /** Out of contact. */
        SUSPENDED,
        /** A better proof of liveness. */
        PROVEN,
        /** The timer armed for the hold's deadline. */
        TIMER,
        /** The caller's time limit. */
        TIMEOUT,
        /** The caller no longer wants it: interrupted, cancelled, or the grant met a completed future. */
        CANCEL,
        /** The owner closed the hold, or the coordinator closes. */
        CLOSE
    }

    /** The session's liveness, read immediately before the step; for a hold, by the hold's own deadline. */
    enum Validity {
        /** In contact, and more than the minimum is left. */
        PROVEN,
        /** Out of contact, or too little left to start with. */
        UNPROVEN,
        /** The deadline has passed. */
        PAST_DEADLINE
    }

    /** The effects of a step, in this order. */
    enum Effect {
        /** The hold is released. */
        RELEASED,
        /** The hold is lost; notify its listeners. */
        LOST,
        /** Leave the line; the removal is then pending. */
        LEAVE,
        /** Forget the entry that went with its session, and join anew in the next one. */
        REJOIN,
        /** End the caller's wait without a hold. */
        FAIL,
        /** Give the caller a hold. */
        GRANT,
        /** Move the hold's deadline to that of the new proof. */
        EXTEND,
        /** The hold is out of contact. */
        JEOPARDY,
        /** The hold is in contact again; the session's proof may end earlier than before. */
        STEADY,
        /** Set the timer to the hold's deadline. */
        ARM,
        /** Request a proof from the session. */
        PROVE
    }

    /** What an acquisition does when it cannot have the lock at once. */
    enum Patience {
        /** Gives up instead of waiting behind others. */
        NONE,
        /** Waits in one session only. */
        SESSION,
        /** Waits across sessions: when one ends, it joins again in the next, at the end of the line. */
        ENDLESS
    }

    /** The next state and the effects. */
    record Step(State next, Set<Effect> effects) {}

    private AcquisitionMachine() {}

    /** Returns the step for an event. */
    static Step step(State state, Event event, Validity validity, Patience patience) {
        return switch (state) {
            case WAITING -> waiting(event, validity, patience);
            case UNPROVEN -> unproven(event, validity, patience);
            case HELD -> held(event, validity);
            case DONE -> to(State.DONE);
        };
    }

    private static Step waiting(Event event, Validity validity, Patience patience) {
        return switch (event) {
            case WAITS -> patience == Patience.NONE ? to(State.DONE, LEAVE, FAIL) : to(State.WAITING);
            case CLEAR -> grantIf(validity);
            case GONE -> to(State.DONE, FAIL);
            case ENDED -> ended(patience);
            case TIMEOUT, CANCEL, CLOSE -> to(State.DONE, LEAVE, FAIL);
            case CONNECTED, SUSPENDED, PROVEN, TIMER -> to(State.WAITING);
        };
    }

    private static Step unproven(Event event, Validity validity, Patience patience) {
        return switch (event) {
            case CONNECTED, PROVEN -> grantIf(validity);
            case GONE -> to(State.DONE, FAIL);
            case ENDED -> ended(patience);
            case TIMEOUT, CANCEL, CLOSE -> to(State.DONE, LEAVE, FAIL);
            case WAITS, CLEAR, SUSPENDED, TIMER -> to(State.UNPROVEN);
        };
    }

    /** Starts over, even if no entry stood ahead: the entry has gone with its session. */
    private static Step ended(Patience patience) {
        return patience == Patience.ENDLESS ? to(State.WAITING, REJOIN) : to(State.DONE, FAIL);
    }

    private static Step grantIf(Validity validity) {
        return switch (validity) {
            case PROVEN -> to(State.HELD, GRANT, ARM);
            case UNPROVEN, PAST_DEADLINE -> to(State.UNPROVEN, PROVE);
        };
    }

    private static Step held(Event event, Validity validity) {
        return switch (event) {
            case GONE, ENDED -> to(State.DONE, LOST);
            case CLOSE, CANCEL -> to(State.DONE, RELEASED, LEAVE);
            case WAITS, CLEAR, CONNECTED, SUSPENDED, PROVEN, TIMER, TIMEOUT ->
                switch (validity) {
                    case PAST_DEADLINE -> to(State.DONE, LOST, LEAVE);
                    case PROVEN, UNPROVEN -> stillHeld(event);
                };
        };
    }

    private static Step stillHeld(Event event) {
        return switch (event) {
            case CONNECTED -> to(State.HELD, STEADY, ARM);
            case SUSPENDED -> to(State.HELD, JEOPARDY);
            case PROVEN -> to(State.HELD, EXTEND);
            case TIMER -> to(State.HELD, ARM);
            case WAITS, CLEAR, GONE, ENDED, TIMEOUT, CANCEL, CLOSE -> to(State.HELD);
        };
    }

    private static Step to(State next, Effect... effects) {
        Set<Effect> ordered = EnumSet.noneOf(Effect.class);
        Collections.addAll(ordered, effects);
        return new Step(next, Collections.unmodifiableSet(ordered));
    }
}
