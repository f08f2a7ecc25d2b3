/**
 * Recipes beside the locks, built on the public packages {@link io.baton} and {@link io.baton.recipe} alone.
 *
 * <p>Each recipe has a factory {@code named(coordinator, name)}. All processes that use the same name on the same store
 * share it. Objects keep no session: after a break of contact they are used as before.
 *
 * <p><b>Threads.</b> All methods may be called by any thread. Futures complete on a callback thread.
 */
@NullMarked
package io.baton.recipes;

import org.jspecify.annotations.NullMarked;
