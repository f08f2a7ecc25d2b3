package io.baton.benchmarks;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The results as people read them: medians over the rounds, with the least and the greatest ratio. Of two figures the
 * first is the peer's.
 */
public final class ResultTable {

    private static final String LINE = "| %-39s | %9s | %9s | %22s | %6s | %15s | %15s | %13s |";

    private static final String HAND_OFFS = "| %-39s | %19s | %9s | %15s | %14s | %22s | %17s |";

    private ResultTable() {}

    /** Both tables, as Markdown. */
    public static String markdown(Setup setup, List<Played> all) {
        String first = all.stream().map(ResultTable::line).collect(Collectors.joining("\n"));
        return head(setup.field()) + "\n" + first
                + handOffs(setup.field(), all).map("\n\n"::concat).orElse("");
    }

    /** The head of the first table. */
    static String head(Field field) {
        String sides = sides(field);
        return head(
                LINE,
                "work",
                field.peer() + "/s",
                "Baton/s",
                "ratio (min to max)",
                "goal",
                "requests " + sides,
                "CPU µs " + sides,
                "kB " + sides);
    }

    /** A line of the first table: passes, and what each took. */
    static String line(Played played) {
        Spread ratio = played.ratio();
        return String.format(
                Locale.ROOT,
                LINE,
                played.row().what(),
                number("%.0f", played.peer(Outcome::perSecond).median()),
                number("%.0f", played.baton(Outcome::perSecond).median()),
                number("%.2f", ratio.median()) + "x (" + number("%.2f", ratio.least()) + " to "
                        + number("%.2f", ratio.greatest()) + ")",
                number("%.2f", played.row().goal()) + "x",
                both("%.1f", played, Outcome::requestsPerPass),
                both("%.0f", played, Outcome::cpuMicrosPerPass),
                both("%.1f", played, Outcome::allocatedKilobytesPerPass));
    }

    /** The second table, of rows that {@linkplain Row#handsOff hand off}; empty if there is none. */
    static Optional<String> handOffs(Field field, List<Played> all) {
        List<Played> handOffs =
                all.stream().filter(played -> played.row().handsOff()).toList();
        String sides = sides(field);
        String head = head(
                HAND_OFFS,
                "work",
                "create + delete, ms",
                "event, ms",
                "changes/s " + sides,
                "of limit " + sides,
                "longest wait, ms " + sides,
                "least share " + sides);
        return handOffs.isEmpty()
                ? Optional.empty()
                : Optional.of(Stream.concat(Stream.of(head), handOffs.stream().map(ResultTable::handOff))
                        .collect(Collectors.joining("\n")));
    }

    private static String handOff(Played played) {
        Limits limits = played.limits();
        return String.format(
                Locale.ROOT,
                HAND_OFFS,
                played.row().what(),
                number("%.2f", limits.createAndDelete() / 1e6),
                number("%.2f", limits.event() / 1e6),
                both("%.0f", played, Outcome::changesPerSecond),
                both("%.2f", played, outcome -> outcome.changesPerSecond() / limits.handOffsPerSecond()),
                both("%.0f", played, Outcome::longestWaitMillis),
                both("%.2f", played, outcome -> outcome.fairness().leastShare()));
    }

    private static String sides(Field field) {
        return field.peer().charAt(0) + " / B";
    }

    private static String head(String format, Object... names) {
        String head = String.format(Locale.ROOT, format, names);
        int work = head.indexOf('|', 1);
        String figures = head.substring(work).replaceAll("[^|]", "-").replace("-|", ":|");
        return head + "\n|" + "-".repeat(work - 1) + figures;
    }

    private static String both(String format, Played played, ToDoubleFunction<Outcome> figure) {
        return number(format, played.peer(figure).median()) + " / "
                + number(format, played.baton(figure).median());
    }

    private static String number(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }
}
