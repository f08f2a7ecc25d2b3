package io.baton.spi;

import java.time.Duration;

/**
 * What a store promises. Recipes that need more refuse the store.
 *
 * @param acknowledged what an acknowledged write survives
 * @param failOver whether holds exclude each other across a fail-over; tokens rise in any case
 * @param wakeUp how long after a change its waiters and observers may be notified, while all servers are well; zero
 *     where the store sends events
 * @param maxOps the most guards, operations and removals in one {@link Session#transact}
 * @param maxBytes the largest value or payload in bytes
 * @param expiryLag how long after its ttl the entries of a silent client may remain, while all servers are well: the
 *     granularity of their checks
 */
public record Guarantees(
        Survival acknowledged, Exclusion failOver, Duration wakeUp, int maxOps, int maxBytes, Duration expiryLag) {

    /** What an acknowledged write survives. */
    public enum Survival {
        /** The loss of any minority of the servers. */
        QUORUM,
        /** A crash of the one server, as long as its disk is there. */
        PRIMARY_DISK,
        /** Not every fail-over: the latest writes may be lost. */
        LATEST_MAY_BE_LOST
    }

    /** Whether two holds of the same lock may overlap when another server takes over. */
    public enum Exclusion {
        /** Never. */
        KEPT,
        /** Never, as the new server grants nothing until every former hold is past its deadline. */
        KEPT_BY_WAITING,
        /** Until the deadline of the former hold. */
        MAY_OVERLAP_UNTIL_DEADLINE
    }

    /** Returns the guarantees of a store that commits by a quorum and sends events. */
    public static Guarantees ofQuorum(int maxOps, int maxBytes, Duration expiryLag) {
        return new Guarantees(Survival.QUORUM, Exclusion.KEPT, Duration.ZERO, maxOps, maxBytes, expiryLag);
    }

    /** Returns the same guarantees with this limit of operations. */
    public Guarantees withMaxOps(int ops) {
        return new Guarantees(acknowledged, failOver, wakeUp, ops, maxBytes, expiryLag);
    }
}
