/** {@code baton queue}: who holds a lock, and who waits for it. */
@NullMarked
package io.baton.cli.queue;

import org.jspecify.annotations.NullMarked;
