/** {@code baton elect}: runs a command while this process leads, and never longer. */
@NullMarked
package io.baton.cli.elect;

import org.jspecify.annotations.NullMarked;
