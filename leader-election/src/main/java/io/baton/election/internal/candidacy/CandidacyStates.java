package io.baton.election.internal.candidacy;

import io.baton.Subscription;
import io.baton.election.CandidacyState;
import io.baton.election.internal.candidacy.CandidacyMachine.State;
import io.baton.election.internal.line.ElectionLine;
import io.baton.election.internal.observe.StateListeners;
import java.util.function.Consumer;

/**
 * Keeps the public state of a candidacy, and notifies listeners of each change. On the loop, unless stated otherwise.
 */
public final class CandidacyStates {

    private final StateListeners<CandidacyState> listeners;
    private volatile CandidacyState present;

    /**
     * Creates it without listeners.
     *
     * @param of the owner of the state, for people
     */
    public CandidacyStates(ElectionLine line, Object of) {
        this.listeners = new StateListeners<>(line, of, this::present);
        this.present = of(State.IDLE, line.inContact(), false, false);
    }

    /**
     * Returns the public state.
     *
     * @param refused whether the last attempt was refused
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

    /** Returns the present state. Any thread. */
    public CandidacyState present() {
        return present;
    }

    /** Notifies of the present state, and then of each change. Any thread. */
    public Subscription add(Consumer<CandidacyState> listener) {
        return listeners.add(listener);
    }

    /** Sets the present state. */
    public void changed(CandidacyState now) {
        if (now != present) {
            present = now;
            listeners.changed(now);
        }
        if (now == CandidacyState.CLOSED) {
            listeners.end();
        }
    }

    /** Closes it after the coordinator, and notifies listeners of that. Any thread, as the loop has ended. */
    public void closeWithoutLoop() {
        present = CandidacyState.CLOSED;
        listeners.changed(CandidacyState.CLOSED);
    }
}
