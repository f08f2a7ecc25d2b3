package io.baton.election.internal.handover;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A pin of the leader by a person: while it holds, no candidate takes over by priority.
 *
 * @param stand the leader's entry; the pin ends with the entry
 * @param until when it ends before that, by the readers' wall clocks; empty for no earlier end
 */
public record Pin(String stand, Optional<Instant> until) {

    /**
     * A person's request of a pin with a hand-over.
     *
     * @param limit how long the new leader is pinned at most; empty for its whole term
     */
    public record Wish(Optional<Duration> limit) {

        /** For the whole term. */
        public static final Wish TERM = new Wish(Optional.empty());

        /** Returns the pin of this entry, which is first now. */
        Pin of(String stand, Instant now) {
            return new Pin(stand, limit.map(now::plus));
        }
    }

    /** Returns whether it holds now for the leader with this entry. */
    boolean holds(String leader, Instant now) {
        return stand.equals(leader) && until.map(now::isBefore).orElse(true);
    }

    /** Returns a text for people. */
    String text() {
        return "a hand-over by hand has pinned the leader until "
                + until.map(Instant::toString).orElse("its term ends");
    }
}
