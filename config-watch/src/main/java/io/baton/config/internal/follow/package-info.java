/** What the store tells, and the state that it has told: pure, and in order. */
@NullMarked
package io.baton.config.internal.follow;

import org.jspecify.annotations.NullMarked;
