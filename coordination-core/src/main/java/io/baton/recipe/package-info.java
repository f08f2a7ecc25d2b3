/**
 * What a recipe is built with, as an election, a failover or a live configuration: lines and records of a coordinator's
 * store, followed across sessions, on the coordinator's loop. {@link io.baton.recipe.RecipeContext} is where to begin.
 *
 * <p><b>Incubating:</b> it is public for recipes outside the core, and changes without notice. A program that only uses
 * recipes needs none of it.
 *
 * <p><b>Threads.</b> A recipe's state belongs to the coordinator's {@link io.baton.recipe.ClientLoop}. What is asked of the
 * store completes on it, and listeners are called on it. Nothing here waits, and a user's code runs in
 * {@link io.baton.recipe.Callbacks} only.
 */
@NullMarked
package io.baton.recipe;

import org.jspecify.annotations.NullMarked;
