package io.baton.tck;

import io.baton.testkit.proxy.Direction;
import io.baton.testkit.proxy.Moment;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Counts the cuts at each message of an act. */
final class CutCount {

    private record Kind(Direction direction, String message) implements Comparable<Kind> {
        @Override
        public int compareTo(Kind other) {
            int byDirection = direction.compareTo(other.direction);
            return byDirection != 0 ? byDirection : message.compareTo(other.message);
        }
    }

    private final Act act;
    private final Map<Kind, Map<Moment, Integer>> counts = new TreeMap<>();

    CutCount(Act act) {
        this.act = act;
    }

    synchronized void add(Direction direction, Moment moment, String message) {
        counts.computeIfAbsent(new Kind(direction, message), kind -> new TreeMap<>())
                .merge(moment, 1, Integer::sum);
    }

    /** Whether one of these messages was never cut at this moment. */
    synchronized boolean lacks(Direction direction, Moment moment, Set<String> messages) {
        return messages.stream()
                .map(message -> counts.getOrDefault(new Kind(direction, message), Map.of()))
                .anyMatch(cuts -> !cuts.containsKey(moment));
    }

    /** One line for each kind of message, as {@code join: create2 to the server, cut before 2, after 2}. */
    @Override
    public synchronized String toString() {
        StringBuilder lines = new StringBuilder();
        counts.forEach((kind, cuts) -> lines.append(String.format(
                "%-16s %-28s %-9s  cut before %2d, after %2d%n",
                act.toString().toLowerCase(Locale.ROOT),
                kind.message(),
                kind.direction() == Direction.TO_SERVER ? "to server" : "to client",
                cuts.getOrDefault(Moment.BEFORE, 0),
                cuts.getOrDefault(Moment.AFTER, 0))));
        return lines.toString();
    }
}
