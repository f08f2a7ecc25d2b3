/** {@code baton standby}: how the nodes of an active and standby service do, and what an operator does by hand. */
@NullMarked
package io.baton.cli.standby;

import org.jspecify.annotations.NullMarked;
