package io.baton;

/**
 * What became of a request to release a lock.
 *
 * @param outcome how it ended
 * @param answer why the holder refused; empty otherwise
 */
public record Released(Outcome outcome, String answer) {

    /** The ways in which a request can end. */
    public enum Outcome {
        /** Nobody held the lock, so nobody was asked. */
        FREE,
        /** The hold that was asked has ended, in whatever way. */
        RELEASED,
        /** The holder has refused, and says why. */
        REFUSED,
        /** The time has passed. The holder may not listen, may still be deciding, or may be at work. */
        UNANSWERED
    }
}
