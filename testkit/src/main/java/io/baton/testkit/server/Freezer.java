package io.baton.testkit.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Keeps processes stopped until {@link #thaw}, or until this JVM ends. Without that, they would stay stopped for ever.
 */
public final class Freezer {

    private static final String SCRIPT = "kill -STOP \"$@\" && echo frozen && cat >/dev/null; kill -CONT \"$@\"";

    private final Process shell;

    private Freezer(Process shell) {
        this.shell = shell;
    }

    /** Stops the process ({@code SIGSTOP}); it is stopped when this returns. */
    public static Freezer freeze(long pid) {
        return freeze(List.of(pid));
    }

    /** Stops these processes ({@code SIGSTOP}); they are stopped when this returns. */
    public static Freezer freeze(List<Long> pids) {
        List<String> command = new ArrayList<>(List.of("sh", "-c", SCRIPT, "sh"));
        pids.forEach(pid -> command.add(Long.toString(pid)));
        try {
            Process shell = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (shell.getInputStream().read() < 0) {
                throw new IllegalStateException("processes " + pids + " cannot be stopped");
            }
            for (long pid : pids) {
                while (!ProcessState.isStopped(pid)) {
                    Thread.onSpinWait();
                }
            }
            return new Freezer(shell);
        } catch (IOException broken) {
            throw new UncheckedIOException("processes " + pids + " cannot be stopped", broken);
        }
    }

    /** Resumes what was stopped ({@code SIGCONT}). */
    public void thaw() throws InterruptedException {
        letGo();
        shell.waitFor();
    }

    /** As {@link #thaw}, but an interrupt does not cut this short, and stays set. */
    public void end() {
        letGo();
        ProcessEnd.await(shell);
    }

    private void letGo() {
        try {
            shell.getOutputStream().close();
        } catch (IOException gone) {
            throw new UncheckedIOException("what kept processes stopped has gone", gone);
        }
    }
}
