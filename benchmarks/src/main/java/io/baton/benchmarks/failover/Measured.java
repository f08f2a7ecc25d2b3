package io.baton.benchmarks.failover;

/**
 * One time.
 *
 * @param nanos from the deed until somebody else's work began, or, where {@code kept}, until it was certain that the leader
 *     still led
 * @param kept whether the leader still led
 */
record Measured(long nanos, boolean kept) {}
