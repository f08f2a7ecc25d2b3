/**
 * The simulations of all that Baton does on a store: what is played, what has to happen in it, and the tests of it. A store
 * describes its simulated servers once, as a {@link io.baton.tck.sim.lock.SimulatedStore}.
 */
@NullMarked
package io.baton.tck.sim;

import org.jspecify.annotations.NullMarked;
