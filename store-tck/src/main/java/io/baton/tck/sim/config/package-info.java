/** Configuration on a store with simulated servers, network and clocks: writers, followers, and their invariants. */
@NullMarked
package io.baton.tck.sim.config;

import org.jspecify.annotations.NullMarked;
