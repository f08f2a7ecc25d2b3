/**
 * Elections on a store whose servers, network and clocks are simulated: candidates, observers, active and standby
 * nodes, and what must be true of them at every moment and at the end.
 */
@NullMarked
package io.baton.tck.sim.election;

import org.jspecify.annotations.NullMarked;
