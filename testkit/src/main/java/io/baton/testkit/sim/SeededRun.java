package io.baton.testkit.sim;

import java.util.Map;

/** One run of a simulation, whose seed decides everything that happens in it. */
public interface SeededRun {

    /** Runs it, and adds how often what has happened; whether enough has happened to call it a test. */
    boolean run(Map<String, Long> totals);

    /** What has happened in it. */
    Trace trace();
}
