/** Simulations of the sessions of stores that do whole steps, on a server that fails over, freezes and loses answers. */
@NullMarked
package io.baton.tck.sim.kernel;

import org.jspecify.annotations.NullMarked;
