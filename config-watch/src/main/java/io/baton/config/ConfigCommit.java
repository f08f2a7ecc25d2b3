package io.baton.config;

/**
 * A change that has been written.
 *
 * @param change its number; the first of a space is 1, and each next one is larger by one
 * @param revision its revision in the store, for {@link LiveConfig#awaitRevision}
 */
public record ConfigCommit(long change, long revision) {}
