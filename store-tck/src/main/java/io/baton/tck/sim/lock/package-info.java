/**
 * A lock in simulation: its users, its invariants, and random faults. A store adds a simulated server, its network
 * protocol, and its own faults.
 */
@NullMarked
package io.baton.tck.sim.lock;

import org.jspecify.annotations.NullMarked;
