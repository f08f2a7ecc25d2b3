package io.baton.chaos.check;

import io.baton.chaos.history.FencingToken;

/** A lock of a multi-lock, from when its contender's coordinator had it, while others were still to be acquired. */
final class Part {

    private final String who;
    private final String lock;
    private final FencingToken token;
    private final long asked;
    private final long taken;
    private long gone = Long.MAX_VALUE;

    Part(String who, String lock, FencingToken token, long asked, long taken) {
        this.who = who;
        this.lock = lock;
        this.token = token;
        this.asked = asked;
        this.taken = taken;
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

    /** When it was asked for; when it was taken, where that is not known. */
    long asked() {
        return asked;
    }

    long taken() {
        return taken;
    }

    /** When it was released or lost; never, if nobody told. */
    long gone() {
        return gone;
    }

    void gone(long at) {
        gone = Math.min(gone, at);
    }
}
