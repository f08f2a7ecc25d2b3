/**
 * Runs a command for as long as a lock or a leadership lasts, and never longer, for {@code baton lock} and
 * {@code baton elect}. The command runs under a {@code Mandate}; a watchdog process ends it when baton cannot.
 */
@NullMarked
package io.baton.cli.run;

import org.jspecify.annotations.NullMarked;
