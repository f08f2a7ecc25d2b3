package io.baton.chaos.check;

import io.baton.chaos.history.FencingToken;

/** One guarded write of a counter: the value read before, and one more. */
final class Write {

    /** What its writer was told. */
    enum Outcome {
        APPLIED,
        REFUSED,
        /** Not applied, for a reason that has nothing to do with the hold. */
        FAILED,
        /** Nobody told. */
        UNKNOWN
    }

    private final String id;
    private final String who;
    private final String lock;
    private final FencingToken token;
    private final long value;
    private final String builtOn;
    private final long began;
    private Outcome outcome = Outcome.UNKNOWN;
    private long ended = Long.MAX_VALUE;

    /**
     * Attempted.
     *
     * @param builtOn the write whose value was read before; empty if there was none
     */
    Write(String id, String who, String lock, FencingToken token, long value, String builtOn, long began) {
        this.id = id;
        this.who = who;
        this.lock = lock;
        this.token = token;
        this.value = value;
        this.builtOn = builtOn;
        this.began = began;
    }

    void ended(Outcome what, long at) {
        outcome = what;
        ended = at;
    }

    String id() {
        return id;
    }

    String who() {
        return who;
    }

    String lock() {
        return lock;
    }

    FencingToken token() {
        return token;
    }

    long value() {
        return value;
    }

    String builtOn() {
        return builtOn;
    }

    long began() {
        return began;
    }

    Outcome outcome() {
        return outcome;
    }

    boolean applied() {
        return outcome == Outcome.APPLIED;
    }

    /** Whether it may have been applied. */
    boolean possible() {
        return outcome == Outcome.APPLIED || outcome == Outcome.UNKNOWN;
    }

    /** When its writer was told; never, if it was not. */
    long ended() {
        return ended;
    }

    /** The last moment that is known of it. */
    long known() {
        return ended == Long.MAX_VALUE ? began : ended;
    }

    @Override
    public String toString() {
        return "write " + id + " (" + who + ", token " + token + ", value " + value + ", " + outcome + ")";
    }
}
