/**
 * The contract that every store keeps, as suites of tests: subclass {@link io.baton.tck.StoreContract}, {@link
 * io.baton.tck.RecipeContract} and {@link io.baton.tck.FaultContract} in your store's tests and tell them
 * by a {@link io.baton.tck.StoreUnderTest} how to reach the store and how to trouble it.
 *
 * <p>The chapters on sessions, lines and records speak to the store interface; those on locks and transactions go
 * through {@link io.baton.Coordinator}, as applications do. Every client has a real event loop, and every client checks
 * on its own that it is told things on that loop, in the promised order and never from within a call.
 */
@NullMarked
package io.baton.tck;

import org.jspecify.annotations.NullMarked;
