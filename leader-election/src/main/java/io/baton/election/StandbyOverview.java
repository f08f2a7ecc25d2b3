package io.baton.election;

import java.util.List;
import java.util.Optional;

/**
 * The state of all nodes of an election, as read from the store. The parts are read one soon after the other.
 *
 * @param leader the leader; it need not be a node
 * @param state the leader's progress, if it is a node and has reported
 * @param members the nodes that are in contact with the store, in the order of the line; then those that do not stand
 *     there
 * @param others the ids of the candidates in the line that are not nodes
 * @param breadcrumb the breadcrumb of the node that is active, or was active last and has not stopped cleanly; empty if
 *     there is no node to be fenced
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
