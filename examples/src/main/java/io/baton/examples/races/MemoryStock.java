package io.baton.examples.races;

/** A stock in the memory of a process. It checks nothing. */
final class MemoryStock {

    private int left;
    private int taken;

    MemoryStock(int left) {
        this.left = left;
    }

    int left() {
        return left;
    }

    int taken() {
        return taken;
    }

    /** Takes this amount from what somebody has seen before. */
    boolean take(int seen, int amount) {
        left = seen - amount;
        taken += amount;
        return true;
    }
}
