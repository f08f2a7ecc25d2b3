/**
 * A deterministic simulation: one seeded scheduler with virtual time, simulated processes with clocks of their own, and
 * pipes between them. Everything that happens follows from the seed, so a failure replays exactly.
 *
 * <p>{@link io.baton.testkit.sim.Simulation} is the world, {@link io.baton.testkit.sim.SimProcess} a process in it,
 * {@link io.baton.testkit.sim.SimLoop} one of its threads, {@link io.baton.testkit.sim.SimPipe} one direction of a
 * connection. Code under test sees a {@link io.baton.spi.Loop} and knows nothing of this. Not thread-safe: one
 * simulation is one thread; different simulations share nothing.
 */
@NullMarked
package io.baton.testkit.sim;

import org.jspecify.annotations.NullMarked;
