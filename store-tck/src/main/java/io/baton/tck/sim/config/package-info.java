/**
 * Configuration on a store whose servers, network and clocks are simulated: who writes it, who follows it, and what must be
 * true of those at every moment and at the end.
 */
@NullMarked
package io.baton.tck.sim.config;

import org.jspecify.annotations.NullMarked;
