package io.baton.election;

import java.util.List;
import java.util.Optional;

/**
 * How all nodes of an election do, as the store has it: each part as it was read, one soon after the other.
 *
 * @param leader who leads; it need not be a node
 * @param state how far it has come, if it is a node and has told
 * @param members the nodes that are in contact with the store, in the order of the line; then those that do not stand
 *     there
 * @param others who stands in the line beside them, as candidates that are no nodes, by their ids
 * @param breadcrumb what the one that is active, or was active last and has not gone cleanly, has left; empty if there
 *     is nobody to be fenced
 * @param pause the pause of the election; empty if it is not paused
 */
public record StandbyOverview(
        Optional<Leader> leader,
        Optional<LeaderState> state,
        List<StandbyMember> members,
        List<String> others,
        Optional<LeftBreadcrumb> breadcrumb,
        Optional<Pause> pause) {

    /** Copies the lists. */
    public StandbyOverview {
        members = List.copyOf(members);
        others = List.copyOf(others);
    }
}
