package io.baton.cli.leader;

import io.baton.election.Leader;
import io.baton.election.LeaderState;
import io.baton.election.Pause;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * What is known of an election.
 *
 * @param leader who leads
 * @param pause whether it is paused
 * @param told what a leader has told of itself, perhaps one of another term
 * @param known what of these has been seen
 */
record View(Optional<Leader> leader, Optional<Pause> pause, Optional<LeaderState> told, Set<Part> known) {

    /** What there is to be known. */
    enum Part {
        LEADER,
        PAUSE,
        STATE
    }

    /** Nothing is known yet. */
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

    /** How far the present leader has come; empty if it has not told. */
    Optional<LeaderState> state() {
        return leader.flatMap(now -> told.filter(each -> each.term() == now.term()));
    }

    /** Whether there is something to be shown. */
    boolean complete() {
        return known.size() == Part.values().length;
    }

    private Set<Part> and(Part one) {
        Set<Part> all = EnumSet.of(one);
        all.addAll(known);
        return Set.copyOf(all);
    }
}
