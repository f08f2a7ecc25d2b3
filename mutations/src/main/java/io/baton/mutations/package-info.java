/**
 * Plants small changes in classes of ours, one after the other, and counts which of them unit tests and simulations notice.
 * The changes are PIT's. What is tried runs in a JVM of its own, in which the changed class takes the place of the original.
 */
@NullMarked
package io.baton.mutations;

import org.jspecify.annotations.NullMarked;
