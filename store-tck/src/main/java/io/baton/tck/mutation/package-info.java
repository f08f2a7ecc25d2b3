/**
 * Planted bugs, which show that a test can fail. A piece of a main source is replaced and the changed copy is compiled
 * in memory. A simulation then runs on it, seed after seed, until it fails. Nothing of this is in the shipped
 * artifacts.
 */
@NullMarked
package io.baton.tck.mutation;

import org.jspecify.annotations.NullMarked;
