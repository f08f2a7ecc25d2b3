package io.baton.cli.demo;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import picocli.CommandLine.Help.Ansi;

/** What the demo prints: who did what, and how many seconds after the start. */
final class DemoLog {

    private final PrintStream out;
    private final long started = System.nanoTime();

    DemoLog(PrintStream out) {
        this.out = out;
    }

    /** A heading, with a line that says what is going to happen. */
    void act(String title, String what) {
        out.println();
        out.println(Ansi.AUTO.string("@|bold " + title + "|@"));
        out.println("  " + what);
        out.println();
    }

    /** Something that somebody did. */
    void event(String who, String what) {
        double seconds = (System.nanoTime() - started) / 1e9;
        out.println(String.format(Locale.ROOT, "%7.2fs  %-6s %s", seconds, who, what));
    }

    /** Something that was reported afterwards, so without its time. */
    void note(String who, String what) {
        out.println(String.format(Locale.ROOT, "%8s  %-6s %s", "", who, what));
    }

    /** A claim, at the end. */
    void claim(Claims.Claim claim) {
        String verdict = claim.holds() ? "@|green ok    |@" : "@|bold,red FAILED|@";
        out.println("  " + Ansi.AUTO.string(verdict) + "  " + claim.text() + " (" + claim.seen() + ")");
    }

    /** A line of its own. */
    void line(String text) {
        out.println(text);
    }

    /** A duration that may be short, as the timeline writes it. */
    static String precisely(Duration duration) {
        return duration.compareTo(Duration.ofSeconds(1)) < 0 ? duration.toMillis() + " ms" : seconds(duration);
    }

    /** A duration as the timeline writes it. */
    static String seconds(Duration duration) {
        return String.format(Locale.ROOT, "%.1f s", duration.toMillis() / 1e3);
    }
}
