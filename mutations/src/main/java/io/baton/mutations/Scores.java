package io.baton.mutations;

import io.baton.mutations.Result.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Predicate;

/** The table for people, and what was not noticed. */
final class Scores {

    private record Row(String type, String module, List<Result> results) {

        int equivalent(Equivalents known) {
            return (int) results.stream()
                    .filter(each -> known.isKnown(each.mutant()))
                    .count();
        }
    }

    private final List<Row> rows = new ArrayList<>();
    private final Equivalents equivalents;

    Scores(Equivalents equivalents) {
        this.equivalents = equivalents;
    }

    void add(Target target, List<Result> results) {
        rows.add(new Row(target.name(), target.module(), results));
    }

    /** Of what is not equivalent: how much of it was noticed, by class. */
    String table() {
        var lines = new ArrayList<String>();
        lines.add("| class | module | changes | equivalent | unit tests | simulation | together |");
        lines.add("|---|---|---:|---:|---:|---:|---:|");
        var sum = new ArrayList<Result>();
        rows.forEach(row -> {
            lines.add(line(row));
            sum.addAll(row.results());
        });
        lines.add(line(new Row("all", "", sum)));
        return String.join("\n", lines);
    }

    private String line(Row row) {
        return String.format(
                Locale.ROOT,
                "| %s | %s | %d | %d | %s | %s | %s |",
                row.type(),
                row.module(),
                row.results().size(),
                row.equivalent(equivalents),
                share(row, each -> each.byTests().status()),
                share(row, each -> each.bySeeds().status()),
                share(row, Scores::together));
    }

    private static Status together(Result each) {
        Status tests = each.byTests().status();
        Status seeds = each.bySeeds().status();
        if (tests == Status.KILLED || seeds == Status.KILLED) {
            return Status.KILLED;
        }
        return tests.noticed() || tests == Status.NOT_TRIED ? tests : seeds;
    }

    /** Which classes' unit tests notice less than this, and what; one that was not tried notices nothing. */
    List<String> below(int percent) {
        Function<Result, Status> status = each -> each.byTests().status();
        return rows.stream()
                .filter(row -> {
                    List<Status> counted = counted(row, status);
                    return 100 * counted.stream().filter(Status::noticed).count() < (long) percent * counted.size();
                })
                .map(row -> "unit tests notice of " + row.module() + " " + row.type() + " " + share(row, status)
                        + ", less than " + percent + " %")
                .toList();
    }

    private List<Status> counted(Row row, Function<Result, Status> status) {
        return row.results().stream()
                .filter(each -> !equivalents.isKnown(each.mutant())
                        || status.apply(each).noticed())
                .map(status)
                .toList();
    }

    private String share(Row row, Function<Result, Status> status) {
        List<Status> counted = counted(row, status);
        if (counted.isEmpty() || counted.contains(Status.NOT_TRIED)) {
            return counted.isEmpty() ? "" : "not tried";
        }
        long noticed = counted.stream().filter(Status::noticed).count();
        long late = counted.stream().filter(Predicate.isEqual(Status.TIMEOUT)).count();
        return String.format(
                Locale.ROOT,
                "%d %% (%d of %d%s)",
                100 * noticed / counted.size(),
                noticed,
                counted.size(),
                late == 0 ? "" : ", " + late + " by time");
    }

    /** Those that neither noticed, and then those that only the simulation did. */
    String survivors() {
        var lines = new ArrayList<String>();
        for (Row row : rows) {
            list(lines, row, "survive both", each -> !each.noticed() && !equivalents.isKnown(each.mutant()));
            list(
                    lines,
                    row,
                    "survive the unit tests only",
                    each -> each.bySeeds().noticed() && !each.byTests().noticed());
            list(lines, row, "are equivalent", each -> !each.noticed() && equivalents.isKnown(each.mutant()));
        }
        return String.join("\n", lines);
    }

    private static void list(List<String> lines, Row row, String what, Predicate<Result> which) {
        List<Result> some = row.results().stream().filter(which).toList();
        if (some.isEmpty()) {
            return;
        }
        lines.add("");
        lines.add(row.module() + " " + row.type() + ": " + some.size() + " " + what);
        for (Result each : some) {
            Mutant mutant = each.mutant();
            lines.add(String.format(
                    Locale.ROOT,
                    "  %s:%d  %s#%d  %s  [unit: %s, simulation: %s%s]",
                    mutant.file(),
                    mutant.line(),
                    mutant.mutator(),
                    mutant.nth(),
                    mutant.description(),
                    each.byTests().status().text(),
                    each.bySeeds().status().text(),
                    each.bySeeds().by().isEmpty() ? "" : ", " + each.bySeeds().by()));
            lines.add("      " + mutant.source());
        }
    }
}
