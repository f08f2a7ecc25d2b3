/**
 * What the histories of a run prove: whether anything happened that Baton promises will not.
 *
 * <p>Nothing is taken for wrong that could have been right. An event is known to have happened between two readings of the
 * clock; where two events are compared, each check takes the readings that speak for the accused.
 */
@NullMarked
package io.baton.chaos.check;

import org.jspecify.annotations.NullMarked;
