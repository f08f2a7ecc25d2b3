package io.baton.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.lang.ProcessBuilder.Redirect;

/** Looks whether all that was printed has arrived. */
final class StandardOutput {

    private StandardOutput() {}

    /**
     * Whether something could not be written, as on a full disk. A pipe whose reader has gone, as of {@code head}, has
     * nothing missing: its reader wants no more.
     */
    static boolean isIncomplete(PrintWriter out) {
        return out.checkError() && !isPipe();
    }

    /** The JVM tells neither the error nor what stdout is. */
    private static boolean isPipe() {
        try {
            return new ProcessBuilder("sh", "-c", "test -p /dev/stdout || test -S /dev/stdout")
                            .redirectOutput(Redirect.INHERIT)
                            .redirectError(Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException noShell) {
            return false;
        } catch (InterruptedException ending) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
