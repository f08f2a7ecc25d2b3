/**
 * The simulations of Baton's recipes on a store, the events they must contain, and their tests. A store describes its
 * simulated servers once, as a {@link io.baton.tck.sim.lock.SimulatedStore}.
 */
@NullMarked
package io.baton.tck.sim;

import org.jspecify.annotations.NullMarked;
