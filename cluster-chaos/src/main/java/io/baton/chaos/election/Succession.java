package io.baton.chaos.election;

import io.baton.chaos.history.Event;

/**
 * One leader after another, as it was brought about.
 *
 * @param deed what was done
 * @param from when it was about to be done
 * @param before the first word of who led
 * @param after the first word of who leads now
 * @param over when its process could reach the servers again, or another one had taken its place; {@link #after}'s time where
 *     it could all the time
 */
record Succession(Cause deed, long from, Event before, Event after, long over) {

    long term() {
        return before.number("term");
    }

    /** From the deed to the next leader's first word. */
    long nanos() {
        return after.nanos() - from;
    }
}
