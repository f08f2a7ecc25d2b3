/** {@code baton group}: shows the members of a group. */
@NullMarked
package io.baton.cli.group;

import org.jspecify.annotations.NullMarked;
