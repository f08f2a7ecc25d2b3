package io.baton.chaos.servers;

/**
 * A standby has taken the place of the primary. Times are those of the histories.
 *
 * @param primary the new primary
 * @param safe what was acknowledged before this moment is there
 * @param gone from this moment on nothing was applied by the former primary
 */
public record Promotion(int primary, long safe, long gone) {}
