/** {@code baton leader}: who leads, and every change of it. */
@NullMarked
package io.baton.cli.leader;

import org.jspecify.annotations.NullMarked;
