package io.baton.chaos.check;

/** Somebody wanted a lock. */
final class Ask {

    private final String who;
    private final String lock;
    private final long at;
    private boolean answered;

    Ask(String who, String lock, long at) {
        this.who = who;
        this.lock = lock;
        this.at = at;
    }

    String who() {
        return who;
    }

    String lock() {
        return lock;
    }

    long at() {
        return at;
    }

    /** Whether it was granted, or has ended in another way. */
    boolean answered() {
        return answered;
    }

    void answer() {
        answered = true;
    }
}
