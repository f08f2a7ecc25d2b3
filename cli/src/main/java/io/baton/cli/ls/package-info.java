/** {@code baton ls}: which locks, semaphores, elections and configurations there are. */
@NullMarked
package io.baton.cli.ls;

import org.jspecify.annotations.NullMarked;
