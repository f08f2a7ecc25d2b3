package io.baton.config;

/**
 * How much of a history may be kept, and how much there is.
 *
 * @param changes the maximum number of changes
 * @param bytes the maximum number of bytes of them, with each text before and after; the newest change is always kept
 * @param keptChanges the number of changes kept
 * @param keptBytes their approximate number of bytes
 */
public record ConfigRetention(int changes, long bytes, long keptChanges, long keptBytes) {}
