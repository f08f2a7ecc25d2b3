package io.baton.testkit.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * Keeps a process stopped until {@link #thaw}, or until this JVM ends. Without that, the process would stay stopped for
 * ever.
 */
public final class Freezer {

    private static final String SCRIPT = "kill -STOP \"$1\" && echo frozen && cat >/dev/null; kill -CONT \"$1\"";

    private final Process shell;

    private Freezer(Process shell) {
        this.shell = shell;
    }

    /** Stops the process ({@code SIGSTOP}); it is stopped when this returns. */
    public static Freezer freeze(long pid) {
        try {
            Process shell = new ProcessBuilder("sh", "-c", SCRIPT, "sh", Long.toString(pid))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (shell.getInputStream().read() < 0) {
                throw new IllegalStateException("process " + pid + " cannot be stopped");
            }
            while (running(pid)) {
                Thread.onSpinWait();
            }
            return new Freezer(shell);
        } catch (IOException broken) {
            throw new UncheckedIOException("process " + pid + " cannot be stopped", broken);
        }
    }

    /** Whether a thread of the process is not stopped yet. Always false on systems other than Linux. */
    private static boolean running(long pid) throws IOException {
        Path threads = Path.of("/proc", Long.toString(pid), "task");
        if (!Files.isDirectory(threads)) {
            return false;
        }
        try (Stream<Path> all = Files.list(threads)) {
            return all.anyMatch(thread -> !stopped(thread));
        }
    }

    private static boolean stopped(Path thread) {
        try {
            // The state follows the name, which is in parentheses and may contain any character.
            String stat = Files.readString(thread.resolve("stat"), StandardCharsets.ISO_8859_1);
            return "TtZX".indexOf(stat.charAt(stat.lastIndexOf(')') + 2)) >= 0;
        } catch (IOException ended) {
            return true;
        }
    }

    /** Resumes the process ({@code SIGCONT}). */
    public void thaw() throws InterruptedException {
        try {
            shell.getOutputStream().close();
        } catch (IOException gone) {
            throw new UncheckedIOException("what kept a process stopped has gone", gone);
        }
        shell.waitFor();
    }
}
