package io.baton.chaos.check;

/** One addition to the counter to which all add. */
final class Addition {

    private boolean applied;
    private boolean refused;

    void applied() {
        applied = true;
    }

    void refused() {
        refused = true;
    }

    /** Whether it counts for certain. */
    boolean isCertain() {
        return applied;
    }

    /** Whether it may count: its outcome is not known, or it was applied. */
    boolean isPossible() {
        return applied || !refused;
    }
}
