/** {@code baton lock}: runs a command while a lock is held, and never longer. */
@NullMarked
package io.baton.cli.lock;

import org.jspecify.annotations.NullMarked;
