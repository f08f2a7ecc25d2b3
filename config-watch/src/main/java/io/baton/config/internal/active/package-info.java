/**
 * The state in use: its bindings, their consent before it changes, the listeners notified after it has, and the earlier
 * states to try when a binding refuses it.
 */
@NullMarked
package io.baton.config.internal.active;

import org.jspecify.annotations.NullMarked;
