package io.baton.zookeeper.inspect;

import io.baton.spi.inspect.ClockReading;
import java.util.List;
import java.util.Optional;

/**
 * What a session finds out about the ensemble and the store's path.
 *
 * @param missing whether the store's path is not there
 * @param refused what this client may not do, for people, each with its path
 * @param full below which paths a quota forbids to create
 * @param containers whether the servers have container nodes
 * @param quotas those on the path, above and below it
 * @param voters how many servers vote, by the ensemble's own list; zero if it has none, as of a single server, or that cannot be read
 * @param observers how many servers do not vote
 * @param clock what the leader's clock shows
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
