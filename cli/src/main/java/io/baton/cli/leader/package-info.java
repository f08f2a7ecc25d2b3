/** {@code baton leader}: the leader, and every change of it. */
@NullMarked
package io.baton.cli.leader;

import org.jspecify.annotations.NullMarked;
