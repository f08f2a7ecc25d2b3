package io.baton.recipes;

/**
 * A question that the store has on record.
 *
 * @param number the place in the order of asking, from 1
 * @param id the question's id
 * @param state how far it has come
 * @param attempts how often a process has begun with it
 * @param token the fencing token of the process that began with it last; 0 if none has
 */
public record StandingQuestion(long number, String id, State state, int attempts, long token) {

    /** How far a question has come. */
    public enum State {
        /** No process has begun with it. */
        ASKED,
        /** A process has begun with it. */
        BEGUN,
        /** It has been answered. */
        ANSWERED,
        /** Its handler has failed, which is an answer. */
        FAILED
    }
}
