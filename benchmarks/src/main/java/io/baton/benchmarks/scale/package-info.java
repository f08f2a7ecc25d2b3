/**
 * Whether Baton stays alive where services are big: thousands of waiters in one line, in many lines and in many
 * processes, and lines that are too long to be listed. Clients run in JVMs with a bounded heap; only the public API is used.
 */
@NullMarked
package io.baton.benchmarks.scale;

import org.jspecify.annotations.NullMarked;
