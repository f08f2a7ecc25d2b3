/**
 * The contract of every store, as test suites. Subclass {@link io.baton.tck.StoreContract},
 * {@link io.baton.tck.LockFamilyContract}, {@link io.baton.tck.RecipeContract}, {@link io.baton.tck.FaultContract},
 * {@link io.baton.tck.RecipeFaultContract} and {@link io.baton.tck.FailOverContract} in your store's tests. A {@link
 * io.baton.tck.StoreUnderTest} gives them the store's address and ways to cause faults.
 *
 * <p>The chapters on sessions, lines and records use the store interface; those on locks and transactions use
 * {@link io.baton.Coordinator}, as applications do. Every client has a real event loop. Every client checks that its
 * callbacks run on that loop, in the promised order and never from within a call.
 */
@NullMarked
package io.baton.tck;

import org.jspecify.annotations.NullMarked;
