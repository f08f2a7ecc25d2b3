/**
 * Looking at a store as its operators do: {@link io.baton.spi.inspect.StoreInspector}. A store that has one offers it by
 * {@link io.baton.spi.inspect.InspectableProvider}.
 *
 * <p>Apart from sessions, and with connections of its own: what is asked here blocks, and never touches a client's work.
 */
@NullMarked
package io.baton.spi.inspect;

import org.jspecify.annotations.NullMarked;
