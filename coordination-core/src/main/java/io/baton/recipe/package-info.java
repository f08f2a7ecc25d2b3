/**
 * The parts from which recipes such as elections, failover and live configuration are built: the lines and records of a
 * coordinator's store, followed across sessions. {@link io.baton.recipe.RecipeContext} is the entry point.
 *
 * <p><b>Incubating.</b> This package is public for recipes outside the core, and changes without notice. A program that
 * only uses recipes does not need it.
 *
 * <p><b>Threads.</b> A recipe's state belongs to the coordinator's {@link io.baton.recipe.ClientLoop}. Requests to the
 * store complete on it, and listeners are called on it. Nothing on the loop blocks, and user code runs in
 * {@link io.baton.recipe.Callbacks} only.
 */
@NullMarked
package io.baton.recipe;

import org.jspecify.annotations.NullMarked;
