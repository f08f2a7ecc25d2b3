package io.baton.examples.ledger;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What was done to the active ones, and how long it took each time until a client was acknowledged by the next one. */
final class Tally {

    private final Map<Fault, List<Duration>> took = new EnumMap<>(Fault.class);

    void add(Fault fault, Duration duration) {
        took.computeIfAbsent(fault, any -> new ArrayList<>()).add(duration);
    }

    /** For people. */
    String summary(String what, Acknowledged acknowledged) {
        var text = new StringBuilder(String.format(
                Locale.ROOT,
                "%s: %d entries acknowledged; longest gap without one %.2f s; until the next active acknowledged (median, worst):",
                what,
                acknowledged.entries().size(),
                seconds(acknowledged.longestGap())));
        took.forEach((fault, durations) -> text.append(line(fault, durations)));
        return text.toString();
    }

    private static String line(Fault fault, List<Duration> durations) {
        List<Duration> sorted = durations.stream().sorted().toList();
        return String.format(
                Locale.ROOT,
                "%n  %3d times %-11s %5.2f s %5.2f s",
                sorted.size(),
                fault.name().toLowerCase(Locale.ROOT),
                seconds(sorted.get(sorted.size() / 2)),
                seconds(sorted.get(sorted.size() - 1)));
    }

    private static double seconds(Duration duration) {
        return duration.toMillis() / 1000.0;
    }
}
