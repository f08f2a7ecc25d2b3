package io.baton.cli.run;

import io.baton.cli.Report;
import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Sends signals to processes by the shell's own {@code kill}, since Java supports TERM and KILL only. */
interface Signaller {

    /** Sends the signal with this name, as {@code TERM}; waits until it is sent. */
    void send(String signal);

    /** Sends to this process group; to the process alone if it has not yet become a group. */
    static Signaller group(long pid) {
        return signal -> shell(
                "kill -s \"$0\" -- \"-$1\" 2>/dev/null || kill -s \"$0\" \"$1\" 2>/dev/null",
                List.of(signal, "" + pid));
    }

    /** Sends to a process and its descendants, as far as they are still known. */
    static Signaller tree(ProcessHandle root) {
        return signal -> {
            List<String> arguments = Stream.concat(Stream.of(root), root.descendants())
                    .filter(ProcessHandle::isAlive)
                    .map(process -> Long.toString(process.pid()))
                    .collect(Collectors.toList());
            arguments.add(0, signal);
            shell("for p; do kill -s \"$0\" \"$p\" 2>/dev/null; done", arguments);
        };
    }

    private static void shell(String script, List<String> arguments) {
        List<String> line =
                Stream.concat(Stream.of("sh", "-c", script), arguments.stream()).collect(Collectors.toList());
        try {
            Process kill = new ProcessBuilder(line)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            kill.onExit().join();
        } catch (IOException noShell) {
            Report.lineAside("cannot send a signal to the command: " + noShell.getMessage());
        }
    }
}
