/**
 * Elections on a store with simulated servers, network and clocks: candidates, observers, active and standby nodes, and
 * their invariants, checked at every moment and at the end.
 */
@NullMarked
package io.baton.tck.sim.election;

import org.jspecify.annotations.NullMarked;
