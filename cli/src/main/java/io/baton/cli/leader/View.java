package io.baton.cli.leader;

import io.baton.election.Leader;
import io.baton.election.LeaderState;
import io.baton.election.Pause;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * The known state of an election.
 *
 * @param leader the leader
 * @param pause the pause, if the election is paused
 * @param told the state that a leader has published, perhaps for another term
 * @param known the parts that have been read
 */
record View(Optional<Leader> leader, Optional<Pause> pause, Optional<LeaderState> told, Set<Part> known) {

    /** The parts of the state. */
    enum Part {
        LEADER,
        PAUSE,
        STATE
    }

    /** No part is known yet. */
    static final View NOTHING = new View(Optional.empty(), Optional.empty(), Optional.empty(), Set.of());

    View leading(Optional<Leader> now) {
        return new View(now, pause, told, and(Part.LEADER));
    }

    View paused(Optional<Pause> now) {
        return new View(leader, now, told, and(Part.PAUSE));
    }

    View withState(Optional<LeaderState> now) {
        return new View(leader, pause, now, and(Part.STATE));
    }

    /** The state of the present leader; empty if it has not published any. */
    Optional<LeaderState> state() {
        return leader.flatMap(now -> told.filter(each -> each.term() == now.term()));
    }

    /** Whether the view can be shown. */
    boolean complete() {
        return known.size() == Part.values().length;
    }

    /** Whether both look the same: a state of a term that is over, or has not begun, is not shown. */
    boolean looksLike(View other) {
        return known.equals(other.known)
                && leader.equals(other.leader)
                && pause.equals(other.pause)
                && state().equals(other.state());
    }

    private Set<Part> and(Part one) {
        Set<Part> all = EnumSet.of(one);
        all.addAll(known);
        return Set.copyOf(all);
    }
}
