package io.baton.etcd.inspect;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The facts that the cluster reports, and the permissions of this client.
 *
 * @param voters the number of voting members; zero if the cluster does not report it
 * @param learners the names of the members that do not vote
 * @param alarms the active alarms, for example {@code NOSPACE}
 * @param refused what this client may not do, each with its prefix
 * @param failure why a permitted write failed; empty if none did
 * @param shortest the shortest time to live of a granted lease; empty if none was granted
 * @param request the largest request known to be accepted, in bytes; empty if that could not be tried
 * @param operations whether a transaction may have as many operations as Baton needs; empty if that could not be tried
 */
public record ClusterFacts(
        int voters,
        List<String> learners,
        List<String> alarms,
        List<String> refused,
        Optional<String> failure,
        Optional<Duration> shortest,
        OptionalInt request,
        Optional<Boolean> operations) {}
