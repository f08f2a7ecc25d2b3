package io.baton.testkit.server;

import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Keeps a process stopped until thawed, or until this JVM has gone: a stopped process would not notice that, and stay
 * for ever.
 */
public final class Freezer {

    private static final String SCRIPT = "kill -STOP \"$1\" && echo frozen && cat >/dev/null; kill -CONT \"$1\"";

    private final Process shell;

    private Freezer(Process shell) {
        this.shell = shell;
    }

    /** Stops it ({@code SIGSTOP}); it is stopped when this returns. */
    public static Freezer freeze(long pid) {
        try {
            Process shell = new ProcessBuilder("sh", "-c", SCRIPT, "sh", Long.toString(pid))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (shell.getInputStream().read() < 0) {
                throw new IllegalStateException("process " + pid + " cannot be stopped");
            }
            return new Freezer(shell);
        } catch (IOException broken) {
            throw new UncheckedIOException("process " + pid + " cannot be stopped", broken);
        }
    }

    /** Lets it go on ({@code SIGCONT}). */
    public void thaw() throws InterruptedException {
        try {
            shell.getOutputStream().close();
        } catch (IOException gone) {
            throw new UncheckedIOException("what kept a process stopped has gone", gone);
        }
        shell.waitFor();
    }
}
