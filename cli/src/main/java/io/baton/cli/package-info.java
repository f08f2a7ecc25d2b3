/** The {@code baton} command: one class per subcommand, each in its own package, and common code. */
@NullMarked
package io.baton.cli;

import org.jspecify.annotations.NullMarked;
