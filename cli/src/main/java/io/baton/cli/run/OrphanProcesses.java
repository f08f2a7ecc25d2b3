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
 * is killed while it starts the command, as the command's process is then unknown. Linux only.
 */
final class OrphanProcesses {

    /** The environment variable. */
    static final String VARIABLE = "BATON_WATCHDOG";

    private static final long PAUSE_NANOS = Duration.ofMillis(5).toNanos();

    /** A process that survives this long waits for a device. */
    private static final long KILL_NANOS = Duration.ofMillis(500).toNanos();

    private final String entry;

    OrphanProcesses(String mark) {
        this.entry = "\0" + VARIABLE + "=" + mark + "\0";
    }

    /** Whether this process belongs to the command of a baton. */
    static boolean ownedByAnother() {
        return System.getenv(VARIABLE) != null;
    }

    /**
     * Kills all of these processes, and those that they start meanwhile. Gives up on what survives that for half a
     * second.
     */
    void kill() {
        long start = System.nanoTime();
        List<ProcessHandle> found = find();
        while (!found.isEmpty() && System.nanoTime() - start < KILL_NANOS) {
            found.forEach(ProcessHandle::destroyForcibly);
            LockSupport.parkNanos(PAUSE_NANOS);
            found = find();
        }
    }

    /** One of these processes; empty if none runs. */
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
            return ("\0" + environment).contains(entry);
        } catch (IOException notOursOrGone) {
            return false;
        }
    }
}
