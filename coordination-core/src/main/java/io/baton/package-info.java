/**
 * The public API: {@link io.baton.Coordinator} connects to a store and hands out locks and records.
 *
 * <p>Every type here is safe for use by several threads. Waits are interruptible. Durations are
 * {@link java.time.Duration}s; deadlines are kept on the monotonic clock. User callbacks run on Baton's callback
 * threads, serially per registration, never on a store client's thread.
 */
@NullMarked
package io.baton;

import org.jspecify.annotations.NullMarked;
