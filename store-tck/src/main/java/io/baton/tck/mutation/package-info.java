/**
 * Bugs planted on purpose, to show that a test can fail: a piece of a main source is replaced, the changed copy is
 * compiled in memory, and a simulation is run on it, seed after seed, until it notices. What is built and shipped knows
 * nothing of it.
 */
@NullMarked
package io.baton.tck.mutation;

import org.jspecify.annotations.NullMarked;
