package io.baton.election.internal.candidacy;

import io.baton.Subscription;
import io.baton.election.CandidacyState;
import io.baton.election.internal.candidacy.CandidacyMachine.State;
import io.baton.election.internal.line.ElectionLine;
import io.baton.election.internal.observe.StateListeners;
import java.util.function.Consumer;

/**
 * Keeps what users see of a candidacy's state, and notifies listeners of each change. On the loop, unless it says
 * otherwise.
 */
public final class CandidacyStates {

    private final StateListeners<CandidacyState> listeners;
    private volatile CandidacyState present;

    /**
     * Nobody listens.
     *
     * @param of whose state it is, for people
     */
    public CandidacyStates(ElectionLine line, Object of) {
        this.listeners = new StateListeners<>(line, of, this::present);
        this.present = of(State.IDLE, line.inContact(), false, false);
    }

    /**
     * What users see.
     *
     * @param refused whether it was refused, and has not succeeded since
     * @param paused whether it waits for the election to be resumed
     */
    public static CandidacyState of(State machine, boolean inContact, boolean refused, boolean paused) {
        return switch (machine) {
            case IDLE, STANDING -> {
                if (!inContact) {
                    yield CandidacyState.OUT_OF_CONTACT;
                }
                yield paused ? CandidacyState.PAUSED : refused ? CandidacyState.REFUSED : CandidacyState.WAITING;
            }
            case LEADING -> CandidacyState.LEADING;
            case STOPPING, HANDING_OVER, PASSING -> CandidacyState.STOPPING;
            case DEPOSED -> CandidacyState.DEPOSED;
            case OVER -> CandidacyState.CLOSED;
        };
    }

    /** The present state. Any thread. */
    public CandidacyState present() {
        return present;
    }

    /** Notifies of the present state, and then of each change. Any thread. */
    public Subscription add(Consumer<CandidacyState> listener) {
        return listeners.add(listener);
    }

    /** It is so now. */
    public void changed(CandidacyState now) {
        if (now != present) {
            present = now;
            listeners.changed(now);
        }
        if (now == CandidacyState.CLOSED) {
            listeners.end();
        }
    }

    /** It will never stand, as the coordinator is closed. Any thread; nothing runs on the loop any more. */
    public void closeUnstarted() {
        present = CandidacyState.CLOSED;
    }
}
