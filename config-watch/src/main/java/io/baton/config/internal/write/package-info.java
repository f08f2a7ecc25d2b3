/** Changes: their drafts, the transactions that write them, and the retention of the history. */
@NullMarked
package io.baton.config.internal.write;

import org.jspecify.annotations.NullMarked;
