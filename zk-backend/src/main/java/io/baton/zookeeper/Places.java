package io.baton.zookeeper;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The places of a session, oldest first, and those of each line. */
final class Places {

    private final Set<LinePlace> all = new LinkedHashSet<>();
    private final Map<String, Set<LinePlace>> byLine = new HashMap<>();

    void add(LinePlace place) {
        all.add(place);
        byLine.computeIfAbsent(place.linePath(), path -> new LinkedHashSet<>()).add(place);
    }

    void remove(LinePlace place) {
        all.remove(place);
        byLine.computeIfPresent(place.linePath(), (path, places) -> {
            places.remove(place);
            return places.isEmpty() ? null : places;
        });
    }

    /** Returns a copy of all places. */
    List<LinePlace> all() {
        return List.copyOf(all);
    }

    /** Returns a copy of the places in the line at this path. */
    List<LinePlace> in(String linePath) {
        return List.copyOf(byLine.getOrDefault(linePath, Set.of()));
    }
}
