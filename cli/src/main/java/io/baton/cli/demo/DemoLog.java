package io.baton.cli.demo;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import picocli.CommandLine.Help.Ansi;

/** Prints the demo's timeline: each event with its worker and the seconds since the start. */
final class DemoLog {

    private final PrintStream out;
    private final long started = System.nanoTime();

    DemoLog(PrintStream out) {
        this.out = out;
    }

    /** Prints a heading, and a line about what will happen. */
    void act(String title, String what) {
        out.println();
        out.println(Ansi.AUTO.string("@|bold " + title + "|@"));
        out.println("  " + what);
        out.println();
    }

    /** Prints an event of a worker. */
    void event(String who, String what) {
        double seconds = (System.nanoTime() - started) / 1e9;
        out.println(String.format(Locale.ROOT, "%7.2fs  %-6s %s", seconds, who, what));
    }

    /** Prints an event that was reported later, without a time. */
    void note(String who, String what) {
        out.println(String.format(Locale.ROOT, "%8s  %-6s %s", "", who, what));
    }

    /** Prints a claim, at the end. */
    void claim(Claims.Claim claim) {
        String verdict = claim.holds() ? "@|green ok    |@" : "@|bold,red FAILED|@";
        out.println("  " + Ansi.AUTO.string(verdict) + "  " + claim.text() + " (" + claim.seen() + ")");
    }

    /** Prints a separate line. */
    void line(String text) {
        out.println(text);
    }

    /** Formats a duration that may be short. */
    static String precisely(Duration duration) {
        return duration.compareTo(Duration.ofSeconds(1)) < 0 ? duration.toMillis() + " ms" : seconds(duration);
    }

    /** Formats a duration. */
    static String seconds(Duration duration) {
        return String.format(Locale.ROOT, "%.1f s", duration.toMillis() / 1e3);
    }
}
