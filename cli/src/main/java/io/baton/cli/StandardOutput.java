package io.baton.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.PrintWriter;
import java.lang.ProcessBuilder.Redirect;

/** Says what stdout is, and whether all that was printed has arrived. The JVM tells neither. */
public final class StandardOutput {

    private StandardOutput() {}

    /**
     * Whether something could not be written, as on a full disk. A pipe whose reader has gone, as of {@code head}, has
     * nothing missing: its reader wants no more.
     */
    static boolean isIncomplete(PrintWriter out) {
        return out.checkError() && !passes("test -p /dev/stdout || test -S /dev/stdout", false);
    }

    /** Whether it is a terminal; true if that is unknown. */
    public static boolean isTerminal() {
        return passes("test -t 1", true);
    }

    /**
     * Prints foreign text in UTF-8: on a terminal in lines that cannot command it, into a pipe or a file the same bytes.
     */
    public static void print(PrintWriter out, byte[] text) {
        if (isTerminal()) {
            new String(text, UTF_8).lines().map(Text::visible).forEach(out::println);
        } else {
            out.flush();
            System.out.writeBytes(text);
            System.out.flush();
        }
    }

    private static boolean passes(String test, boolean unknown) {
        try {
            return new ProcessBuilder("sh", "-c", test)
                            .redirectOutput(Redirect.INHERIT)
                            .redirectError(Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException noShell) {
            return unknown;
        } catch (InterruptedException ending) {
            Thread.currentThread().interrupt();
            return unknown;
        }
    }
}
