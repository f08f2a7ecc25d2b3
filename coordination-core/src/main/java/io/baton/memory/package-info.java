/**
 * A store inside this process, at {@code mem:name}: for unit tests of code that uses Baton, and for simulations.
 *
 * <p>It keeps every promise of {@link io.baton.spi.Session}: sessions live by leases and are ended when these run out,
 * lines are fair, transactions are atomic. {@link io.baton.memory.MemoryStore} has controls that make happen what is
 * hard to bring about on a real store: an expired session, a lost contact, an entry removed by somebody else.
 */
@NullMarked
package io.baton.memory;

import org.jspecify.annotations.NullMarked;
