/**
 * The state in use: what is bound to it, who is asked before it changes, who is notified after it has, and earlier
 * states that are tried when a binding refuses it.
 */
@NullMarked
package io.baton.config.internal.active;

import org.jspecify.annotations.NullMarked;
