package io.baton.testkit.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** What the system says of a process, in {@code /proc}. On systems other than Linux each process seems to have ended. */
final class ProcessState {

    private static final String STOPPED = "Tt";
    private static final String ENDED = "ZX";

    private ProcessState() {}

    /** Whether every thread of the process is stopped, or has ended. */
    static boolean isStopped(long pid) {
        return allThreads(pid, STOPPED + ENDED);
    }

    /** Whether the process has ended, perhaps without its parent having noticed. */
    static boolean hasEnded(long pid) {
        return allThreads(pid, ENDED);
    }

    private static boolean allThreads(long pid, String states) {
        Path threads = Path.of("/proc", Long.toString(pid), "task");
        if (!Files.isDirectory(threads)) {
            return true;
        }
        try (Stream<Path> all = Files.list(threads)) {
            return all.allMatch(thread -> isOneOf(states, thread));
        } catch (IOException broken) {
            if (Files.isDirectory(threads)) {
                throw new UncheckedIOException("cannot look at process " + pid, broken);
            }
            return true;
        }
    }

    private static boolean isOneOf(String states, Path thread) {
        try {
            // The state follows the name, which is in parentheses and may contain any character.
            String stat = Files.readString(thread.resolve("stat"), StandardCharsets.ISO_8859_1);
            return states.indexOf(stat.charAt(stat.lastIndexOf(')') + 2)) >= 0;
        } catch (IOException ended) {
            return true;
        }
    }
}
