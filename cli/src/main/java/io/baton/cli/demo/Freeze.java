package io.baton.cli.demo;

import io.baton.cli.Exit;
import io.baton.cli.Failure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** A worker stopped with SIGSTOP. The shell that stopped it wakes it on request, and when this process ends. */
final class Freeze {

    private static final String SCRIPT =
            "trap '' HUP INT TERM; kill -s STOP \"$0\" && echo stopped && read -r wake; kill -s CONT \"$0\"";

    private final Process shell;

    private Freeze(Process shell) {
        this.shell = shell;
    }

    static Freeze of(DemoWorker worker) {
        try {
            Process shell = new ProcessBuilder("sh", "-c", SCRIPT, Long.toString(worker.pid()))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String said = shell.inputReader(StandardCharsets.UTF_8).readLine();
            if (!"stopped".equals(said)) {
                throw new Failure(Exit.FAILED, "cannot stop worker " + worker.name() + " (pid " + worker.pid() + ")");
            }
            return new Freeze(shell);
        } catch (IOException noShell) {
            throw new Failure(Exit.FAILED, "cannot stop a worker: " + noShell.getMessage());
        }
    }

    void wake() throws InterruptedException {
        try {
            shell.getOutputStream().close();
        } catch (IOException alreadyAwake) {
            // The stream is closed, as intended.
        }
        shell.waitFor();
    }
}
