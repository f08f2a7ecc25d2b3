/** Where users' code runs, and how listeners are notified. */
@NullMarked
package io.baton.internal.callback;

import org.jspecify.annotations.NullMarked;
