/**
 * Real clusters of three servers and many client processes, disturbed by a nemesis: {@code ./chaos} at the root.
 *
 * <p>Clients contend on a few locks, and note down what they see; {@link io.baton.chaos.check} judges it afterwards.
 */
@NullMarked
package io.baton.chaos;

import org.jspecify.annotations.NullMarked;
