/** {@code baton doctor}: what is misconfigured, and what to do about it. */
@NullMarked
package io.baton.cli.doctor;

import org.jspecify.annotations.NullMarked;
