/** Updates from the store in order, and the state that they add up to, as a pure function. */
@NullMarked
package io.baton.config.internal.follow;

import org.jspecify.annotations.NullMarked;
