/**
 * The public API: {@link io.baton.Coordinator} connects to a store and provides locks and records.
 *
 * <p>Every type here is safe for use by several threads. Waits are interruptible. Durations are
 * {@link java.time.Duration}s; deadlines are kept on the monotonic clock. User callbacks run on Baton's callback
 * threads, serially per registration, never on a store client's thread.
 *
 * <p><b>Exceptions of user code.</b> All code that Baton calls may throw anything. One rule holds in all packages:
 *
 * <ul>
 *   <li>A <i>listener</i> receives events ({@link io.baton.Hold#onLost}, {@link io.baton.RecordsListener}, {@link
 *       io.baton.Telemetry}, ...). It declares no checked exception. An exception is logged at level WARN with the
 *       listener's name, and all other listeners are called as well.
 *   <li><i>Work</i> has an outcome (a leader's work, a hook, a fencer, a health check, code that prepares or converts a
 *       configuration's value). It declares {@code throws Exception}, and its Javadoc says what a failure means.
 *   <li>A <i>predicate</i> that throws counts as false.
 * </ul>
 *
 * <p>Where such an exception cannot be printed, as its own methods throw, an {@link
 * io.baton.recipe.UnprintableException} with its class name is logged and reported instead.
 */
@NullMarked
package io.baton;

import org.jspecify.annotations.NullMarked;
