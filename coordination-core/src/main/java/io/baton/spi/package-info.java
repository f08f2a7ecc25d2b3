/**
 * What a store implements: {@link io.baton.spi.Store} opens {@link io.baton.spi.Session}s, and a session carries
 * <em>lines</em> (ordered rows of session-bound contenders) and <em>records</em> (versioned values).
 *
 * <p><b>Threads.</b> A session belongs to one {@link io.baton.spi.Loop}: every method is called on it and every callback
 * and completion happens on it, unless a method says otherwise. Nothing here blocks.
 *
 * <p>A store proves itself by passing the contract suite in the testkit.
 */
@NullMarked
package io.baton.spi;

import org.jspecify.annotations.NullMarked;
