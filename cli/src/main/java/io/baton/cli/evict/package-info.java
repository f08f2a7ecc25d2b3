/** {@code baton evict}: removes one contender from the line of a lock or a semaphore. */
@NullMarked
package io.baton.cli.evict;

import org.jspecify.annotations.NullMarked;
