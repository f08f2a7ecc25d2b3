/**
 * A store inside this process, at {@code mem:name}: for unit tests of code that uses Baton, and for simulations.
 *
 * <p>It keeps every promise of {@link io.baton.spi.Session}: a session ends when its lease runs out, lines are fair,
 * transactions are atomic. {@link io.baton.memory.MemoryStore} has controls for events that are hard to cause on a real
 * store: expired sessions, lost contact, removed entries.
 */
@NullMarked
package io.baton.memory;

import org.jspecify.annotations.NullMarked;
