/**
 * The interface that a store implements: {@link io.baton.spi.Store} opens {@link io.baton.spi.Session}s. A session
 * carries <em>lines</em> (queues of session-bound contenders) and <em>records</em> (versioned values).
 *
 * <p><b>Threads.</b> A session belongs to one {@link io.baton.spi.Loop}. Every method is called on it, and every
 * callback and completion happens on it, unless a method says otherwise. Nothing here blocks.
 *
 * <p>The contract suite in {@code store-tck} verifies a store.
 */
@NullMarked
package io.baton.spi;

import org.jspecify.annotations.NullMarked;
