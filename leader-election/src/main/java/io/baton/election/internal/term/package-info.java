/** One term of a leader: the work, the time it has, and what is told of it. */
@NullMarked
package io.baton.election.internal.term;

import org.jspecify.annotations.NullMarked;
