package io.baton.spi;

import java.time.Duration;

/**
 * What a store promises.
 *
 * @param linearizable an acknowledged write survives every fail-over and later reads of a hand-over see it
 * @param fenced tokens of a line rise, also across fail-over
 * @param maxOps the most guards and operations in one {@link Session#transact}
 * @param maxBytes the largest value or payload in bytes
 * @param expiryLag how long after its ttl the entries of a silent client may still stand, while all servers are well: as finely
 *     as they look at the time
 */
public record Guarantees(boolean linearizable, boolean fenced, int maxOps, int maxBytes, Duration expiryLag) {}
