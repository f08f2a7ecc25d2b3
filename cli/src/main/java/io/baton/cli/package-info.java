/** The {@code baton} command: one class per subcommand, each in a package of its own, and what they share. */
@NullMarked
package io.baton.cli;

import org.jspecify.annotations.NullMarked;
