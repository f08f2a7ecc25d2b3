/**
 * What clients and the nemesis note down: one line per event, in one file per process.
 *
 * <p>Times are those of {@link java.lang.System#nanoTime}. On Linux that is {@code CLOCK_MONOTONIC}, one clock for all
 * processes of a machine, so lines of several files can be put in order. Whoever starts a process checks that for it.
 */
@NullMarked
package io.baton.chaos.history;

import org.jspecify.annotations.NullMarked;
