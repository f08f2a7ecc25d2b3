package io.baton.chaos;

import io.baton.chaos.check.Checker;
import io.baton.chaos.check.RecipeHistory;
import io.baton.chaos.check.RunHistory;
import io.baton.chaos.check.Violation;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What came of a run.
 *
 * @param servers what they were
 * @param clocks whether wall clocks were moved
 * @param began when it began, by the clock of the histories
 * @param ended when it ended
 */
record RunReport(
        RunSettings settings,
        String servers,
        boolean clocks,
        long began,
        long ended,
        RunHistory history,
        List<Violation> violations) {

    /** Whether nothing went wrong. */
    boolean good() {
        return violations.isEmpty();
    }

    /** For people. */
    String summary() {
        return String.join(
                "\n",
                String.format(
                        Locale.ROOT,
                        "%s; %d processes of %d clients, %d with those that replaced killed ones; %d locks;"
                                + " sessions of %d s; seed %d; %d s",
                        servers,
                        settings.manning().processes(),
                        settings.manning().contenders(),
                        history.contenders(),
                        settings.manning().locks(),
                        settings.manning().ttl().toSeconds(),
                        settings.seed(),
                        Duration.ofNanos(ended - began).toSeconds()),
                "holds   " + counts(history.grants()) + "; multi-locks took " + history.parts() + " of the locks; "
                        + history.handOvers() + " were passed on within a process",
                "losses  " + counts(history.losses()),
                "writes  " + words(history.outcomes()),
                "recipes " + recipes(history.recipes()),
                "faults  " + counts(history.faults()) + (clocks ? "" : "; no wall clock was moved"),
                "again   wanted and free locks were granted once all was well: "
                        + spread(Checker.waitsAfterHealing(history)),
                good() ? "no violation" : violations.size() + " VIOLATIONS");
    }

    private static String recipes(RecipeHistory recipes) {
        return recipes.added() + " additions to a counter, " + recipes.numbered() + " numbers of a sequence, "
                + recipes.passed() + " verdicts of barriers that passed and " + recipes.broken() + " of broken ones, "
                + recipes.latches() + " latches, " + recipes.answered() + " questions, " + recipes.views()
                + " looks at a group";
    }

    private static String words(Map<String, Long> counts) {
        return counts.entrySet().stream()
                .map(entry -> entry.getValue() + " " + entry.getKey().replace('_', ' '))
                .collect(Collectors.joining(", "));
    }

    private static String counts(Map<String, Long> counts) {
        return total(counts) + (counts.isEmpty() ? "" : ": " + words(counts));
    }

    private static long total(Map<String, Long> counts) {
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }

    /** The longest, and the one in the middle. */
    private static String spread(List<Duration> all) {
        if (all.isEmpty()) {
            return "never well";
        }
        List<Duration> sorted = all.stream().sorted().toList();
        return String.format(
                Locale.ROOT,
                "longest %s, median %s, %d times",
                seconds(sorted.get(sorted.size() - 1)),
                seconds(sorted.get(sorted.size() / 2)),
                sorted.size());
    }

    private static String seconds(Duration time) {
        return String.format(Locale.ROOT, "%.2f s", time.toMillis() / 1000.0);
    }
}
