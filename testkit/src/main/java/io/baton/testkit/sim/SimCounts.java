package io.baton.testkit.sim;

import java.util.HashMap;
import java.util.Map;

/** How often what has happened in a simulated run. */
public final class SimCounts {

    private final Map<String, long[]> times = new HashMap<>();

    /** Nothing has happened. */
    public SimCounts() {}

    /** It has happened once more. */
    public void add(String what) {
        add(what, 1);
    }

    /** It has happened so many times more. */
    public void add(String what, long more) {
        times.computeIfAbsent(what, any -> new long[1])[0] += more;
    }

    /** Adds all of them. */
    public void addTo(Map<String, Long> totals) {
        times.forEach((what, more) -> totals.merge(what, more[0], Long::sum));
    }
}
