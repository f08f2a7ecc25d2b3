package io.baton.cli.doctor;

import io.baton.cli.JsonObject;
import io.baton.cli.Text;
import io.baton.spi.inspect.Finding;
import io.baton.spi.inspect.Finding.Level;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * The findings of an inspection, the worst first.
 *
 * @param uri the store's
 * @param findings in this order
 */
record FindingsOutput(String uri, List<Finding> findings) {

    private static final String INDENT = " ".repeat(11);

    FindingsOutput {
        findings =
                findings.stream().sorted(Comparator.comparing(Finding::level)).toList();
    }

    boolean wrong() {
        return count(Level.PROBLEM) > 0;
    }

    /** For people: what is so, and in the next line what to do about it. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(Text.line(uri) + ": " + plural(Level.PROBLEM) + ", " + plural(Level.WARNING) + ", "
                + count(Level.UNKNOWN) + " unknown, " + count(Level.OK) + " ok");
        lines.add("");
        for (Finding each : findings) {
            lines.add(String.format("  %-9s%s", word(each), Text.line(each.check() + ": " + each.what())));
            if (!each.todo().isEmpty()) {
                lines.add(INDENT + "-> " + Text.line(each.todo()));
            }
        }
        return lines;
    }

    /** For programs: one object. */
    String json() {
        return new JsonObject()
                .text("store", uri)
                .number("problems", count(Level.PROBLEM))
                .number("warnings", count(Level.WARNING))
                .number("unknown", count(Level.UNKNOWN))
                .raw(
                        "findings",
                        JsonObject.lines(
                                findings.stream().map(FindingsOutput::json).toList()))
                .end();
    }

    private static String json(Finding finding) {
        return new JsonObject()
                .text("level", word(finding))
                .text("check", finding.check())
                .text("what", finding.what())
                .unlessEmpty("todo", finding.todo())
                .end();
    }

    private String plural(Level level) {
        long count = count(level);
        return count + " " + level.name().toLowerCase(Locale.ROOT) + (count == 1 ? "" : "s");
    }

    private long count(Level level) {
        return findings.stream().filter(each -> each.level() == level).count();
    }

    private static String word(Finding finding) {
        return finding.level().name().toLowerCase(Locale.ROOT);
    }
}
