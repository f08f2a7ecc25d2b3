package io.baton.spi;

/**
 * What a store promises.
 *
 * @param linearizable an acknowledged write survives every fail-over and later reads of a hand-over see it
 * @param fenced tokens of a line rise, also across fail-over
 * @param maxOps the most guards, operations and removals in one {@link Session#transact}
 * @param maxBytes the largest value or payload in bytes
 */
public record Guarantees(boolean linearizable, boolean fenced, int maxOps, int maxBytes) {}
