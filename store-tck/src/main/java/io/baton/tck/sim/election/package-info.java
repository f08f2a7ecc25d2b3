/**
 * Elections on a store with simulated servers, network and clocks: candidates, observers, active and standby nodes, and
 * their invariants.
 */
@NullMarked
package io.baton.tck.sim.election;

import org.jspecify.annotations.NullMarked;
