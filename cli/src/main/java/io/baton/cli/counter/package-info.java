/** {@code baton counter}: shows and changes a number that processes share. */
@NullMarked
package io.baton.cli.counter;

import org.jspecify.annotations.NullMarked;
