package io.baton.testkit.etcd;

import io.baton.testkit.server.Freezer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One etcd server: its command line, and its process while it runs. The process ends with this JVM, even if the JVM is
 * killed.
 */
final class EtcdProcess {

    private static final int LOG_TAIL = 40;

    /**
     * Starts the server, and a background shell that kills it when its standard input closes, that is, when this JVM
     * ends. That works even while the server is stopped.
     */
    private static final String SCRIPT =
            "exec 3<&0; { read -r nothing <&3; kill -KILL $$; } >/dev/null 2>&1 & exec \"$@\" </dev/null 3<&-";

    private final String name;
    private final List<String> command;
    private final Path log;
    private volatile @Nullable Process process;
    private volatile @Nullable Freezer freezer;

    EtcdProcess(String name, List<String> command, Path log) {
        this.name = name;
        this.command = List.copyOf(command);
        this.log = log;
    }

    void start() {
        if (isAlive()) {
            throw new IllegalStateException(name + " runs already");
        }
        List<String> all = new ArrayList<>(List.of("sh", "-c", SCRIPT, "sh"));
        all.addAll(command);
        try {
            ProcessBuilder builder = new ProcessBuilder(all)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
            Command.withoutSettings(builder);
            process = builder.start();
        } catch (IOException broken) {
            throw new UncheckedIOException("cannot start " + name, broken);
        }
    }

    boolean isAlive() {
        Process now = process;
        return now != null && now.isAlive();
    }

    /** Whether the process ended without being killed by this class. */
    boolean hasDied() {
        Process now = process;
        return now != null && !now.isAlive();
    }

    long pid() {
        Process now = process;
        if (now == null || !now.isAlive()) {
            throw new IllegalStateException(name + " does not run");
        }
        return now.pid();
    }

    /** The process, while it runs. */
    Optional<ProcessHandle> handle() {
        return Optional.ofNullable(process).map(Process::toHandle);
    }

    boolean isFrozen() {
        return freezer != null;
    }

    /** Stops the process ({@code SIGSTOP}). */
    void freeze() {
        if (freezer == null) {
            freezer = Freezer.freeze(pid());
        }
    }

    /** Resumes the process ({@code SIGCONT}). */
    void wake() {
        Freezer now = freezer;
        freezer = null;
        if (now != null) {
            try {
                now.thaw();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while " + name + " was being woken", interrupted);
            }
        }
    }

    /** Kills the process ({@code SIGKILL}), frozen or not, and waits until it has ended. */
    void kill() {
        Process now = process;
        process = null;
        if (now != null) {
            now.destroyForcibly().onExit().join();
        }
        wake();
    }

    /** The end of its output. */
    String logTail() {
        try {
            List<String> lines = Files.exists(log) ? Files.readAllLines(log) : List.of();
            return String.join("\n", lines.subList(Math.max(0, lines.size() - LOG_TAIL), lines.size()));
        } catch (IOException unreadable) {
            return "(its log cannot be read: " + unreadable.getMessage() + ")";
        }
    }
}
