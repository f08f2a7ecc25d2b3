/**
 * Runs a command for as long as a lock or a leadership lasts, and never longer: what {@code baton lock} and {@code baton
 * elect} share. A {@code Mandate} is what the command runs under; a watchdog process ends it when baton cannot.
 */
@NullMarked
package io.baton.cli.run;

import org.jspecify.annotations.NullMarked;
