package io.baton.cli.run;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.locks.LockSupport;

/**
 * The processes that a watchdog has started, identified by a mark in their environment. They matter when the watchdog
 * is killed while it starts the command, as the command's process is then unknown. They also matter when the command
 * runs a baton, whose watchdog and command have sessions of their own. Linux only.
 */
final class OrphanProcesses {

    /** The environment variable. */
    static final String VARIABLE = "BATON_WATCHDOG";

    private static final long PAUSE_NANOS = Duration.ofMillis(5).toNanos();

    /** What is behind the mark of an outer watchdog in that of an inner one. */
    private static final String INNER = ":";

    private static final String END = "\0";

    private final List<String> entries;

    private OrphanProcesses(List<String> entries) {
        this.entries = entries;
    }

    /** What the watchdog with this mark has started, and what batons in its command have. */
    OrphanProcesses(String mark) {
        this(List.of(entry(mark) + END, entry(mark) + INNER));
    }

    /** In a watchdog: what batons in its command have started, which are their watchdogs and commands. */
    static OrphanProcesses ofInnerBatons() {
        String mark = System.getenv(VARIABLE);
        return mark == null ? none() : new OrphanProcesses(List.of(entry(mark) + INNER));
    }

    /** None. */
    static OrphanProcesses none() {
        return new OrphanProcesses(List.of());
    }

    private static String entry(String mark) {
        return END + VARIABLE + "=" + mark;
    }

    /**
     * The mark for a watchdog that this process starts, which may itself belong to a command.
     *
     * @param own a text that is unique
     */
    static String mark(String own) {
        String outer = System.getenv(VARIABLE);
        return outer == null ? own : outer + INNER + own;
    }

    /** Kills all of these processes, and those that they start meanwhile. */
    void kill() {
        while (killFound()) {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    /** Kills those that run now; returns whether there were any. */
    boolean killFound() {
        List<ProcessHandle> found = find();
        found.forEach(ProcessHandle::destroyForcibly);
        return !found.isEmpty();
    }

    /** One of these processes. */
    OptionalLong any() {
        return find().stream().mapToLong(ProcessHandle::pid).findFirst();
    }

    private List<ProcessHandle> find() {
        return ProcessHandle.allProcesses().filter(this::marked).toList();
    }

    private boolean marked(ProcessHandle process) {
        try {
            Path file = Path.of("/proc", Long.toString(process.pid()), "environ");
            // The environment of a zombie process is empty.
            String environment = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
            String all = END + environment;
            return entries.stream().anyMatch(all::contains);
        } catch (IOException notOursOrGone) {
            return false;
        }
    }
}
