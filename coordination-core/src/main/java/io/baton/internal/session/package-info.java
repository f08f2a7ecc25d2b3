/** The session of the moment: keeping one open, requests to it, and what goes on from one session to the next. */
@NullMarked
package io.baton.internal.session;

import org.jspecify.annotations.NullMarked;
