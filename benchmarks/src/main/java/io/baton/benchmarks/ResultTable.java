package io.baton.benchmarks;

import io.baton.benchmarks.Contest.Played;
import io.baton.benchmarks.Contest.Round;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** The results as people read them: medians over the rounds, with the smallest and the largest ratio. */
final class ResultTable {

    private static final String LINE = "| %-33s | %9s | %9s | %-22s | %6s | %15s | %15s |";

    private static final String HAND_OFFS = "| %-33s | %9s | %6s | %14s | %22s | %18s | %12s |";

    private ResultTable() {}

    static String head(Field field) {
        String sides = field.peer().charAt(0) + " / B";
        return String.format(
                        Locale.ROOT,
                        LINE,
                        "work",
                        field.peer() + "/s",
                        "Baton/s",
                        "ratio (min to max)",
                        "goal",
                        "requests " + sides,
                        "CPU µs " + sides)
                + "\n|" + "-".repeat(35) + "|" + "-".repeat(10) + ":|" + "-".repeat(10) + ":|" + "-".repeat(24) + "|"
                + "-".repeat(7) + ":|" + "-".repeat(16) + ":|" + "-".repeat(16) + ":|";
    }

    static String line(Row row, List<Round> rounds) {
        Spread ratios = spread(rounds, Round::ratio);
        return String.format(
                Locale.ROOT,
                LINE,
                row.what(),
                number("%.0f", spread(rounds, round -> round.peer().perSecond()).median()),
                number(
                        "%.0f",
                        spread(rounds, round -> round.baton().perSecond()).median()),
                number("%.2f", ratios.median()) + "x (" + number("%.2f", ratios.least()) + " to "
                        + number("%.2f", ratios.greatest()) + ")",
                number("%.2f", row.goal()) + "x",
                both("%.1f", rounds, Outcome::requestsPerPass),
                both("%.0f", rounds, Outcome::cpuMicrosPerPass));
    }

    /** The head of the second table, of rows that {@linkplain Row#handsOff hand off}. */
    static String headOfHandOffs(Field field) {
        String sides = field.peer().charAt(0) + " / B";
        return String.format(
                        Locale.ROOT,
                        HAND_OFFS,
                        "work",
                        "limit/s",
                        "Baton",
                        "changes " + sides,
                        "longest wait, ms " + sides,
                        "least share " + sides,
                        "kB " + sides)
                + "\n|" + "-".repeat(35) + "|" + "-".repeat(10) + ":|" + "-".repeat(7) + ":|" + "-".repeat(15) + ":|"
                + "-".repeat(23) + ":|" + "-".repeat(19) + ":|" + "-".repeat(13) + ":|";
    }

    /**
     * The limit is one event's way for each hand-off. Changes of the holder are per pass, shares are of the average, and
     * kilobytes are allocated by the clients per pass.
     */
    static String handOffs(Row row, Played played) {
        List<Round> rounds = played.rounds();
        double limit = played.limits().handOffsPerSecond();
        return String.format(
                Locale.ROOT,
                HAND_OFFS,
                row.what(),
                number("%.0f", limit),
                number(
                        "%.2f",
                        spread(rounds, round -> round.baton().perSecond()).median() / limit),
                both("%.2f", rounds, Outcome::changesPerPass),
                both("%.0f", rounds, Outcome::longestWaitMillis),
                both("%.2f", rounds, outcome -> outcome.fairness().leastShare()),
                both("%.1f", rounds, Outcome::allocatedKilobytesPerPass));
    }

    private static String both(String format, List<Round> rounds, ToDoubleFunction<Outcome> of) {
        return number(
                        format,
                        spread(rounds, round -> of.applyAsDouble(round.peer())).median()) + " / "
                + number(
                        format,
                        spread(rounds, round -> of.applyAsDouble(round.baton())).median());
    }

    private static Spread spread(List<Round> rounds, ToDoubleFunction<Round> of) {
        return Spread.of(rounds.stream().mapToDouble(of));
    }

    private static String number(String format, double value) {
        return String.format(Locale.ROOT, format, value);
    }
}
