/** The leader, as observed by processes that do not stand for election. */
@NullMarked
package io.baton.election.internal.observe;

import org.jspecify.annotations.NullMarked;
