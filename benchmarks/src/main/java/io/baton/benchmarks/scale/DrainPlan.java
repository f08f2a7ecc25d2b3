package io.baton.benchmarks.scale;

import java.util.List;

/**
 * Who waits for what.
 *
 * @param locks all held by one other coordinator
 * @param processes with waiters
 * @param waitersEach of these processes, which take the locks in turns
 * @param cutEvery of so many processes, one is cut off in the middle
 * @param heap of these processes
 */
record DrainPlan(int locks, int processes, int waitersEach, int cutEvery, List<String> heap) {

    int waiters() {
        return processes * waitersEach;
    }

    boolean isCut(int process) {
        return process % cutEvery == 0;
    }
}
