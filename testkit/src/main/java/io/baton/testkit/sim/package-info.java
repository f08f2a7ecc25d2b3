/**
 * A deterministic simulation: one seeded scheduler with virtual time, processes with their own clocks, and pipes
 * between them. Everything that happens follows from the seed, so a failure replays exactly.
 *
 * <p>{@link io.baton.testkit.sim.Simulation} is the world, {@link io.baton.testkit.sim.SimProcess} a process in it,
 * {@link io.baton.testkit.sim.SimLoop} one of its threads, {@link io.baton.testkit.sim.SimPipe} one direction of a
 * connection. Code under test uses a {@link io.baton.spi.Loop} and does not depend on the simulation. Not thread-safe:
 * a simulation runs on one thread, and different simulations share nothing.
 */
@NullMarked
package io.baton.testkit.sim;

import org.jspecify.annotations.NullMarked;
