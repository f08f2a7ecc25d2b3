package io.baton.cli.run;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * The processes that a watchdog has started, identified by a mark in their environment. They matter when the watchdog
 * is killed while it starts the command, as the command's process is then unknown. Linux only.
 */
final class OrphanProcesses {

    /** The environment variable. */
    static final String VARIABLE = "BATON_WATCHDOG";

    private static final long PAUSE_NANOS = Duration.ofMillis(5).toNanos();

    private final String entry;

    OrphanProcesses(String mark) {
        this.entry = "\0" + VARIABLE + "=" + mark + "\0";
    }

    /** Whether this process belongs to the command of a baton. */
    static boolean ownedByAnother() {
        return System.getenv(VARIABLE) != null;
    }

    /** Kills all of these processes, and those that they start meanwhile. */
    void kill() {
        for (List<ProcessHandle> found = find(); !found.isEmpty(); found = find()) {
            found.forEach(ProcessHandle::destroyForcibly);
            LockSupport.parkNanos(PAUSE_NANOS);
        }
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
