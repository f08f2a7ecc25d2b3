package io.baton.election;

import java.time.Instant;
import java.util.Optional;

/**
 * The status of a node, as it has reported to the store.
 *
 * @param id which node
 * @param run which run of it: another for each {@link ActiveStandby} that is started
 * @param address where it can be reached while it is active; may be empty
 * @param priority the node's priority
 * @param place where it stands in the line of the election: 1 is who leads; 0 if it does not stand there
 * @param state what it is
 * @param readiness whether it would be active if it were its turn, and why not
 * @param health what its health checks say
 * @param again until when it waits, if that is known
 * @param trouble what went wrong last, if it still matters
 * @param asOf when it was so, by the node's own clock
 */
public record StandbyMember(
        String id,
        String run,
        String address,
        int priority,
        int place,
        ActiveStandby.State state,
        Readiness readiness,
        StandbyStatus.Health health,
        Optional<Instant> again,
        Optional<String> trouble,
        Instant asOf) {

    /** Whether a node would be active if it were its turn. */
    public enum Readiness {
        /** It would, or is on the way, or is. */
        READY,
        /** It had no success, and waits before it tries again. */
        WAITING,
        /** A fencer that it has given up has not returned. */
        STUCK,
        /** Its health checks do not say that it is healthy. */
        UNFIT
    }
}
