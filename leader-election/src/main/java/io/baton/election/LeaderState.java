package io.baton.election;

import java.time.Instant;

/**
 * The progress of a leader that is an {@link ActiveStandby}, as recorded in the store.
 *
 * @param term the term to which it applies; it says nothing about the leader of another term
 * @param phase the leader's phase
 * @param about details for people, such as the node being fenced or the problem; may be empty
 * @param asOf when it was so, by the leader's own clock
 */
public record LeaderState(long term, Phase phase, String about, Instant asOf) {

    /** The phases of a leader. */
    public enum Phase {
        /** Elected, and becoming active. */
        STARTING,
        /** The former active node is being fenced before this one starts. */
        FENCING,
        /** It is the active node. */
        ACTIVE,
        /** It is stopping, and leads until it has stopped. */
        STOPPING,
        /** It could not become active, and leaves the election for a while. */
        FAILED
    }
}
