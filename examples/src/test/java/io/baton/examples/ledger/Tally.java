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
    String summary(Acknowledged acknowledged, Stragglers stragglers) {
        int frozen = took.getOrDefault(Fault.FROZEN, List.of()).size();
        var text = new StringBuilder(String.format(
                Locale.ROOT,
                "%d entries acknowledged, all of them stored; longest time without one %.2f s%n"
                        + "%d writes of deposed actives, all refused; of %d requests that waited for them %d were acknowledged%n"
                        + "until the next active had acknowledged something (median, worst):",
                acknowledged.entries().size(),
                seconds(acknowledged.longestGap()),
                frozen * RecklessNode.LATE_WRITES,
                stragglers.sent(),
                stragglers.acknowledged().size()));
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
