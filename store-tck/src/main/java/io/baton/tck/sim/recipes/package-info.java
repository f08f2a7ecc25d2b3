/** Simulations of recipes that work on records alone: on records that a store in trouble reads and writes. */
@NullMarked
package io.baton.tck.sim.recipes;

import org.jspecify.annotations.NullMarked;
