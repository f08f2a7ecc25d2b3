/**
 * Configuration on a store with simulated servers, network and clocks: writers, followers, and their invariants,
 * checked at every moment and at the end.
 */
@NullMarked
package io.baton.tck.sim.config;

import org.jspecify.annotations.NullMarked;
