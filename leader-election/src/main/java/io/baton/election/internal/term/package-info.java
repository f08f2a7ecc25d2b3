/** One term of a leader: the work, its time, and its reports. */
@NullMarked
package io.baton.election.internal.term;

import org.jspecify.annotations.NullMarked;
