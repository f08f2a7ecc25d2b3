/** {@code baton status}: the session that a client gets, the servers, and the times that follow. */
@NullMarked
package io.baton.cli.status;

import org.jspecify.annotations.NullMarked;
