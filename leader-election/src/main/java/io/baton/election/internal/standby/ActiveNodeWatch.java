package io.baton.election.internal.standby;

import io.baton.Subscription;
import io.baton.election.Leader;
import io.baton.election.LeaderState;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Observes whether another node is active, while a node needs to know. On the loop. */
final class ActiveNodeWatch {

    private final StateRecord states;
    private final String run;
    private final Runnable changed;

    private Optional<Leader> leader = Optional.empty();
    private Optional<LeaderState> state = Optional.empty();
    private @Nullable Subscription observation;

    /**
     * Observes nothing yet.
     *
     * @param run the run of the node that needs to know
     * @param changed runs when the answer may have changed
     */
    ActiveNodeWatch(StateRecord states, String run, Runnable changed) {
        this.states = states;
        this.run = run;
        this.changed = changed;
    }

    void start() {
        if (observation == null) {
            observation = states.observe(this::stateChanged);
        }
    }

    void stop() {
        if (observation != null) {
            observation.close();
            observation = null;
            state = Optional.empty();
        }
    }

    void leaderChanged(Optional<Leader> now) {
        leader = now;
        changed.run();
    }

    private void stateChanged(Optional<LeaderState> now) {
        state = now;
        changed.run();
    }

    /** Returns whether another node leads and is active. */
    boolean isOtherActive() {
        return leader.isPresent()
                && !run.equals(leader.get().metadata().get(StandbySetup.RUN))
                && state.isPresent()
                && state.get().phase() == LeaderState.Phase.ACTIVE
                && state.get().term() == leader.get().term();
    }
}
