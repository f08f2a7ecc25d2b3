package io.baton.cli;

/** Baton's own lines on stderr; stdout and the rest of stderr belong to the command that it runs. */
public final class Report {

    private Report() {}

    /** Prints one line, whatever the text holds. */
    public static void line(String text) {
        System.err.println("baton: " + Text.line(text));
    }
}
