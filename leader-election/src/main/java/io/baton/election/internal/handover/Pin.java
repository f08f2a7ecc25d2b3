package io.baton.election.internal.handover;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A leader that a person has put there: while it holds, no candidate takes over by its priority.
 *
 * @param stand the leader's entry: with the entry goes the pin
 * @param until when it ends before that, by the wall clocks of those who look; empty: not before
 */
public record Pin(String stand, Optional<Instant> until) {

    /**
     * What the person who asks for a hand-over wants.
     *
     * @param limit how long the new leader is pinned at most; empty: for the whole of its term
     */
    public record Wish(Optional<Duration> limit) {

        /** For the whole of the term. */
        public static final Wish TERM = new Wish(Optional.empty());

        /** The pin of this entry, which comes first now. */
        Pin of(String stand, Instant now) {
            return new Pin(stand, limit.map(now::plus));
        }
    }

    /** Whether it holds now for the leader with this entry. */
    boolean holds(String leader, Instant now) {
        return stand.equals(leader) && until.map(now::isBefore).orElse(true);
    }

    /** For people. */
    String text() {
        return "a hand-over by hand has pinned the leader until "
                + until.map(Instant::toString).orElse("its term ends");
    }
}
