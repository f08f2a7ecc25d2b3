/** The public API of a configuration in the store. */
@NullMarked
package io.baton.config.internal.store;

import org.jspecify.annotations.NullMarked;
