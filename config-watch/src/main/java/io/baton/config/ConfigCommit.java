package io.baton.config;

/**
 * A change that has been written.
 *
 * @param change its number: the first of a space is 1, each next one larger by one
 * @param revision where in the store's order it is: for {@link LiveConfig#awaitRevision}
 */
public record ConfigCommit(long change, long revision) {}
