package io.baton.testkit.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One server: its command line, and its process while it runs. The process ends with this JVM, even if the JVM is
 * killed.
 */
public final class ServerProgram {

    private static final int LOG_TAIL = 40;

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /**
     * Starts the server, and a background shell that ends it when its standard input closes, that is, when this JVM
     * ends. {@code SIGKILL} works even while the server is stopped.
     */
    private static final String SCRIPT = "end=$1; shift; exec 3<&0;"
            + " { read -r nothing <&3; kill \"-$end\" $$; } >/dev/null 2>&1 & exec \"$@\" </dev/null 3<&-";

    private final String name;
    private final List<String> command;
    private final Path log;
    private final String signal;
    private volatile @Nullable Process process;
    private volatile @Nullable Freezer freezer;
    private volatile @Nullable Freezer freezerOfChildren;

    /** A server that is ended by {@code SIGKILL}, and writes its output to this file. */
    public ServerProgram(String name, List<String> command, Path log) {
        this(name, command, log, "KILL");
    }

    /** A server that is ended by this signal. */
    public ServerProgram(String name, List<String> command, Path log, String signal) {
        this.name = name;
        this.signal = signal;
        this.command = List.copyOf(command);
        this.log = log;
    }

    /** Starts the process. */
    public void start() {
        if (isAlive()) {
            throw new IllegalStateException(name + " runs already");
        }
        List<String> all = new ArrayList<>(List.of("sh", "-c", SCRIPT, "sh", signal));
        all.addAll(command);
        try {
            ProcessBuilder builder = new ProcessBuilder(all)
                    .directory(log.toAbsolutePath().resolveSibling("").toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
            Command.withoutSettings(builder);
            process = builder.start();
        } catch (IOException broken) {
            throw new UncheckedIOException("cannot start " + name, broken);
        }
    }

    /** Whether the process runs; true also while it is frozen. */
    public boolean isAlive() {
        Process now = process;
        return now != null && now.isAlive();
    }

    /** Whether the process ended without being killed by this class. */
    public boolean hasDied() {
        Process now = process;
        return now != null && !now.isAlive();
    }

    /** The id of the process. */
    public long pid() {
        Process now = process;
        if (now == null || !now.isAlive()) {
            throw new IllegalStateException(name + " does not run");
        }
        return now.pid();
    }

    /** The process, while it runs. */
    public Optional<ProcessHandle> handle() {
        return Optional.ofNullable(process).map(Process::toHandle);
    }

    /** Whether the process is frozen. */
    public boolean isFrozen() {
        return freezer != null;
    }

    /** Stops the process ({@code SIGSTOP}). */
    public void freeze() {
        if (freezer == null) {
            freezer = Freezer.freeze(pid());
        }
    }

    /** Stops the process and all that it has started ({@code SIGSTOP}). */
    public void freezeAll() {
        if (freezer == null) {
            freeze(); // so that it starts nothing more
            freezerOfChildren = Freezer.freeze(children());
        }
    }

    private List<Long> children() {
        return handle().stream()
                .flatMap(ProcessHandle::descendants)
                .map(ProcessHandle::pid)
                .toList();
    }

    /** Resumes what was stopped ({@code SIGCONT}). */
    public void wake() {
        Freezer now = freezer;
        Freezer children = freezerOfChildren;
        freezer = null;
        freezerOfChildren = null;
        thaw(children);
        thaw(now);
    }

    private void thaw(@Nullable Freezer now) {
        if (now != null) {
            now.end();
        }
    }

    /**
     * Ends the process by its signal, and waits until it has ended. {@code SIGKILL} ends a frozen one, too. An interrupt
     * does not cut this short, and stays set.
     */
    public void kill() {
        Process now = process;
        process = null;
        try {
            if (now != null && now.isAlive() && !signal.equals("KILL")) {
                wake();
                endInOrder(now);
            }
        } finally {
            if (now != null) {
                ProcessEnd.await(now.destroyForcibly());
            }
            wake();
        }
    }

    /**
     * Kills the process and all that it has started ({@code SIGKILL}), frozen or not, and waits until all have ended. A
     * server of several processes has no time to notice that one is missing.
     */
    public void crash() {
        Process now = process;
        if (now != null && now.isAlive()) {
            freeze(); // so that it starts nothing more
            List<Long> children = children();
            children.forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
            ServerAwait.until(
                    "what " + name + " has started to end",
                    List.of(),
                    () -> children.stream().allMatch(ProcessState::hasEnded));
            ProcessEnd.await(now.destroyForcibly());
        }
        kill();
    }

    private void endInOrder(Process to) {
        try {
            ProcessEnd.await(new ProcessBuilder("kill", "-" + signal, Long.toString(to.pid())).start());
            ProcessEnd.await(to, PATIENCE);
        } catch (IOException broken) {
            throw new UncheckedIOException("cannot end " + name, broken);
        }
    }

    /** The end of its output. */
    public String logTail() {
        try {
            List<String> lines = Files.exists(log) ? Files.readAllLines(log) : List.of();
            return String.join("\n", lines.subList(Math.max(0, lines.size() - LOG_TAIL), lines.size()));
        } catch (IOException unreadable) {
            return "(its log cannot be read: " + unreadable.getMessage() + ")";
        }
    }
}
