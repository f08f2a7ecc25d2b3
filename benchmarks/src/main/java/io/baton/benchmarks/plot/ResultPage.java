package io.baton.benchmarks.plot;

import io.baton.benchmarks.Played;
import io.baton.benchmarks.RawData;
import io.baton.benchmarks.ResultTable;
import io.baton.benchmarks.Setup;
import java.util.Collection;
import java.util.List;

/** A document with conditions, tables and plots of each setup. */
final class ResultPage {

    private final StringBuilder text = new StringBuilder();

    ResultPage() {
        text.append("# Locks beside Curator and jetcd: results\n\n")
                .append("`benchmarks/run plot` makes this page from the raw data beside it: every row of each run.\n")
                .append(
                        "[Performance](../performance.md) says what was done, and what the columns mean. A run of few short\n")
                .append("rounds, or with a load from the start, shows that it works, and not who is ahead.\n");
    }

    /**
     * Adds a setup.
     *
     * @param lines its raw data
     * @param plots the files with its plots
     */
    void add(Setup setup, List<String> lines, List<Played> rows, Collection<String> plots) {
        text.append("\n## ").append(setup.name()).append("\n\n");
        text.append('`')
                .append(setup.command())
                .append("`, beside ")
                .append(setup.peer())
                .append(".\n");
        text.append("[Raw data](").append(setup.name()).append(".csv). Conditions:\n\n");
        lines.stream()
                .filter(line -> line.startsWith(RawData.CONDITIONS))
                .map(line -> "- " + line.substring(RawData.CONDITIONS.length()))
                .map(line -> line.replace("; ", ";\n  "))
                .forEach(item -> text.append(item).append('\n'));
        text.append('\n').append(ResultTable.markdown(setup, rows)).append('\n');
        plots.forEach(plot ->
                text.append("\n![").append(plot).append("](").append(plot).append(")\n"));
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
