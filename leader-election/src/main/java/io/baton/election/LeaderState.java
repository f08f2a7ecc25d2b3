package io.baton.election;

import java.time.Instant;

/**
 * How far a leader has come that is an {@link ActiveStandby}, as it has told the store.
 *
 * @param term the term that it is about: of the leader of another term it says nothing
 * @param phase how far
 * @param about more, for people: whom it has fenced, and what goes wrong; may be empty
 * @param asOf when it was so, by the leader's own clock
 */
public record LeaderState(long term, Phase phase, String about, Instant asOf) {

    /** How far a leader has come. */
    public enum Phase {
        /** Elected, and on the way to be active. */
        STARTING,
        /** It has the former active one fenced before it starts. */
        FENCING,
        /** It is the active one. */
        ACTIVE,
        /** Told to stop; it leads until it has. */
        STOPPING,
        /** It could not become active, and leaves the election for a while. */
        FAILED
    }
}
