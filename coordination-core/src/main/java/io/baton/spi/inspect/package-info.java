/**
 * Inspection of a store for its operators: {@link io.baton.spi.inspect.StoreInspector}. A store with an inspector
 * offers it through {@link io.baton.spi.inspect.InspectableProvider}.
 *
 * <p>An inspector works apart from sessions, on connections of its own. Its calls block, and never affect a client's
 * work.
 */
@NullMarked
package io.baton.spi.inspect;

import org.jspecify.annotations.NullMarked;
