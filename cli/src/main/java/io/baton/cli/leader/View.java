package io.baton.cli.leader;

import io.baton.election.Leader;
import io.baton.election.Pause;
import java.util.Optional;

/**
 * What is known of an election.
 *
 * @param leader who leads
 * @param pause whether it is paused
 * @param seen whether the leader is known
 * @param looked whether the pause is known
 */
record View(Optional<Leader> leader, Optional<Pause> pause, boolean seen, boolean looked) {

    /** Nothing is known yet. */
    static final View NOTHING = new View(Optional.empty(), Optional.empty(), false, false);

    View leading(Optional<Leader> now) {
        return new View(now, pause, true, looked);
    }

    View with(Optional<Pause> now) {
        return new View(leader, now, seen, true);
    }

    /** Whether there is something to be shown. */
    boolean complete() {
        return seen && looked;
    }
}
