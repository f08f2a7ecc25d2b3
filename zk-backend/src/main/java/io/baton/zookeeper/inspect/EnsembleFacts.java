package io.baton.zookeeper.inspect;

import io.baton.spi.inspect.ClockReading;
import java.util.List;
import java.util.Optional;

/**
 * The facts that a session finds about the ensemble and the store's path.
 *
 * @param missing whether the store's path does not exist
 * @param refused what this client may not do, each with its path
 * @param full the paths below which a quota forbids creation
 * @param containers whether the servers support container nodes
 * @param quotas the quotas on the path, above it and below it
 * @param voters the number of voting servers in the ensemble's list; zero without a list, as for a single server
 * @param observers the number of servers that do not vote
 * @param clock a reading of the leader's clock
 */
public record EnsembleFacts(
        boolean missing,
        List<String> refused,
        List<String> full,
        boolean containers,
        List<QuotaState> quotas,
        int voters,
        int observers,
        Optional<ClockReading> clock) {}
