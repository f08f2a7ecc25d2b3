/**
 * How long it takes until somebody else leads, measured on real processes: Baton beside Curator's {@code LeaderLatch} and {@code
 * etcdctl elect}.
 *
 * <p>Times are those of {@link java.lang.System#nanoTime}, which on Linux is {@code CLOCK_MONOTONIC}: one clock for all
 * processes of a machine. Whoever starts a process sees that its first reading lies between two of his own. A time begins just
 * before the deed, and ends with the first thing that the next leader's work does.
 */
@NullMarked
package io.baton.benchmarks.failover;

import org.jspecify.annotations.NullMarked;
