/** The store of a configuration as programs see it. */
@NullMarked
package io.baton.config.internal.store;

import org.jspecify.annotations.NullMarked;
