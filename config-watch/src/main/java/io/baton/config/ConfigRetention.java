package io.baton.config;

/**
 * How much of a history is kept, and how much there is.
 *
 * @param changes how many changes are kept at most
 * @param bytes how many bytes of them, with each text as it was before and after; the newest change is kept whatever it takes
 * @param keptChanges how many there are
 * @param keptBytes how many bytes they take, about
 */
public record ConfigRetention(int changes, long bytes, long keptChanges, long keptBytes) {}
