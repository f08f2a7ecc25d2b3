/** {@code baton standby}: the state of an active and standby service, and manual operations on it. */
@NullMarked
package io.baton.cli.standby;

import org.jspecify.annotations.NullMarked;
