package io.baton.cli.run;

import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;

/**
 * A shell that is ready to send signals to process groups. When a signal is due, there may be no time or memory to
 * start a process.
 */
final class Killer implements AutoCloseable {

    private static final String SCRIPT = "trap '' HUP INT TERM; while read -r signal pid; do"
            + " kill -s \"$signal\" -- \"-$pid\" 2>/dev/null || kill -s \"$signal\" \"$pid\" 2>/dev/null;"
            + " echo sent; done";

    private final Process shell;
    private final Writer orders;

    /** Gives orders to this process: lines of a signal and a number, each of which it answers with a line. */
    Killer(Process shell) {
        this.shell = shell;
        this.orders = shell.outputWriter(StandardCharsets.UTF_8);
    }

    static Killer start() throws IOException {
        return new Killer(new ProcessBuilder("sh", "-c", SCRIPT)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start());
    }

    /** Sends signals to all of this session. */
    Signaller session(CommandSession session) {
        return signal -> session.sendToAll(group -> send(signal, group));
    }

    private void send(String signal, long group) {
        if (!ordered(signal + " " + group)) {
            Signaller.group(group).send(signal);
        }
    }

    private boolean ordered(String order) {
        try {
            orders.write(order + "\n");
            orders.flush();
            return readLine();
        } catch (IOException shellHasGone) {
            return false;
        }
    }

    private boolean readLine() throws IOException {
        int next = shell.getInputStream().read();
        while (next >= 0 && next != '\n') {
            next = shell.getInputStream().read();
        }
        return next == '\n';
    }

    @Override
    public void close() {
        shell.destroyForcibly();
    }
}
