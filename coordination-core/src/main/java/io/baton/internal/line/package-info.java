/**
 * Lines, as recipes see them: who stands in them, who stands first, and entries of this client that only say
 * something.
 */
@NullMarked
package io.baton.internal.line;

import org.jspecify.annotations.NullMarked;
