package io.baton.cli.config;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;

/** Whether somebody looks on. */
final class Terminal {

    private Terminal() {}

    /** Whether stdout is a terminal. The JVM tells no more than whether stdin is one as well, and not even that since 22. */
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
