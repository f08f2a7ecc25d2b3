/** {@code baton queue}: the holder of a lock and its waiters. */
@NullMarked
package io.baton.cli.queue;

import org.jspecify.annotations.NullMarked;
