package io.baton.cli.config;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;

/** Detects a terminal. */
final class Terminal {

    private Terminal() {}

    /**
     * Whether stdout is a terminal; true if that is unknown. The JVM reports only on stdin and stdout together, and
     * since 22 not even that.
     */
    static boolean out() {
        try {
            return new ProcessBuilder("sh", "-c", "test -t 1")
                            .redirectOutput(Redirect.INHERIT)
                            .redirectError(Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException noShell) {
            return true;
        } catch (InterruptedException ending) {
            Thread.currentThread().interrupt();
            return true;
        }
    }
}
