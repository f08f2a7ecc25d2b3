/**
 * A lock in simulation: who uses it, what must be true of it at every moment, and faults by chance. A store adds a
 * simulated server, its wire, and the faults of its own.
 */
@NullMarked
package io.baton.tck.sim.lock;

import org.jspecify.annotations.NullMarked;
