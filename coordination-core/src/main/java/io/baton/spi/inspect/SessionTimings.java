package io.baton.spi.inspect;

import java.time.Duration;

/**
 * The times that govern the holds of a session.
 *
 * @param ttl how long the store keeps a silent session
 * @param shortest the minimum ttl on this store
 * @param expiryLag how long after its ttl the entries of a silent client may remain: the servers' tick
 * @param margin how much earlier than its last proof plus the ttl a hold counts as lost
 * @param beat how often a holder proves that its session is alive
 */
public record SessionTimings(Duration ttl, Duration shortest, Duration expiryLag, Duration margin, Duration beat) {}
