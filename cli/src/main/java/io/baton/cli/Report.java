package io.baton.cli;

/** Prints Baton's own lines on stderr. Stdout and the rest of stderr belong to the command that it runs. */
public final class Report {

    private Report() {}

    /** Prints the text as one line, whatever it contains. */
    public static void line(String text) {
        System.err.println("baton: " + Text.line(text));
    }
}
