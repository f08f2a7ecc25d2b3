package io.baton.testkit.sim;

import java.util.HashMap;
import java.util.Map;

/** Counts events of a simulated run by name. */
public final class SimCounts {

    private final Map<String, long[]> times = new HashMap<>();

    /** Starts empty. */
    public SimCounts() {}

    /** Counts one event. */
    public void add(String what) {
        add(what, 1);
    }

    /** Counts several events of this name. */
    public void add(String what, long more) {
        times.computeIfAbsent(what, any -> new long[1])[0] += more;
    }

    /** Adds all counts to {@code totals}. */
    public void addTo(Map<String, Long> totals) {
        times.forEach((what, more) -> totals.merge(what, more[0], Long::sum));
    }
}
