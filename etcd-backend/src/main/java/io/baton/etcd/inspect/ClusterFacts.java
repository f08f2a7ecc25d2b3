package io.baton.etcd.inspect;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What the cluster tells, and lets this client do.
 *
 * @param voters how many members vote; zero if it does not tell
 * @param learners the names of those that do not
 * @param alarms those that are on, as {@code NOSPACE}; empty if it does not tell
 * @param refused what this client may not do, for people, each with its prefix
 * @param everything whether it may read and write all below its prefix, and not only what Baton keeps for itself
 * @param failure why a write failed that this client may do; empty if none did
 * @param shortest the shortest time to live that it gives a lease; empty if it gives none
 * @param request the largest request that it is known to take, in bytes; empty if that could not be tried
 * @param operations whether it takes as many operations in a transaction as Baton asks for; empty if that could not be tried
 */
public record ClusterFacts(
        int voters,
        List<String> learners,
        Optional<List<String>> alarms,
        List<String> refused,
        boolean everything,
        Optional<String> failure,
        Optional<Duration> shortest,
        OptionalInt request,
        Optional<Boolean> operations) {}
