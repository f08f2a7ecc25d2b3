/** Changes: what one is to be, the transactions that make it, and how long the history is. */
@NullMarked
package io.baton.config.internal.write;

import org.jspecify.annotations.NullMarked;
