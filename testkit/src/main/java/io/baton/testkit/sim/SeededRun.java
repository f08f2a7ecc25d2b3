package io.baton.testkit.sim;

import java.util.Map;

/** One run of a simulation, determined by its seed. */
public interface SeededRun {

    /**
     * Runs the simulation and adds its event counts to {@code totals}. Returns whether enough happened to count as a
     * test.
     */
    boolean run(Map<String, Long> totals);

    /** The trace of the run. */
    Trace trace();
}
