/** {@code baton status}: a client's session, the servers, and the times that follow. */
@NullMarked
package io.baton.cli.status;

import org.jspecify.annotations.NullMarked;
