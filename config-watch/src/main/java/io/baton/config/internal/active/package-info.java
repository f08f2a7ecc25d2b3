/**
 * The state in use: its bindings, which must accept each change, and the listeners notified afterwards. If a binding
 * refuses the state, earlier states are tried.
 */
@NullMarked
package io.baton.config.internal.active;

import org.jspecify.annotations.NullMarked;
