package io.baton.etcd;

import java.util.Map;
import java.util.TreeMap;

/** How often what has happened in a simulated run. */
final class SimCounts {

    private final Map<String, Long> times = new TreeMap<>();

    void add(String what) {
        add(what, 1);
    }

    void add(String what, long more) {
        times.merge(what, more, Long::sum);
    }

    void addTo(Map<String, Long> totals) {
        times.forEach((what, more) -> totals.merge(what, more, Long::sum));
    }
}
