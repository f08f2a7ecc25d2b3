/** The present session: keeping one open, requests to it, and the parts that go on from one session to the next. */
@NullMarked
package io.baton.internal.session;

import org.jspecify.annotations.NullMarked;
