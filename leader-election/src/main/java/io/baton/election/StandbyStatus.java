package io.baton.election;

import java.time.Instant;
import java.util.Optional;

/**
 * The status of a node at one moment.
 *
 * @param state what it is
 * @param since when it became that, by this machine's clock
 * @param term the term that it leads, or stops leading; 0 in STANDBY
 * @param health what its health checks say
 * @param trouble what went wrong last, if it still matters: a fencer that failed, a hook that did, a health check, a
 *     timing that does not fit the ttl that was granted, a candidate of the same id;
 *     what went wrong in a term matters until this node or another one is active, or a later term ends without trouble
 * @param pause the pause of the election, as far as this node knows; while paused only the node that it names takes
 *     over
 */
public record StandbyStatus(
        ActiveStandby.State state,
        Instant since,
        long term,
        Health health,
        Optional<String> trouble,
        Optional<Pause> pause) {

    /** What health checks say. */
    public enum Health {
        /** Nothing yet. */
        UNKNOWN,
        /** Fit to be the active node. */
        HEALTHY,
        /** Not fit to be the active node. */
        UNHEALTHY
    }
}
