/** {@code baton semaphore}: changes the size of a semaphore. */
@NullMarked
package io.baton.cli.semaphore;

import org.jspecify.annotations.NullMarked;
