package io.baton.cli.run;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * What a watchdog has started, known by a mark that all of it carries in its environment. For when the watchdog is
 * killed in the moment in which it starts the command: then nobody else knows the command's process. Linux only.
 */
final class OrphanProcesses {

    /** The environment variable. */
    static final String VARIABLE = "BATON_WATCHDOG";

    private static final long PAUSE_NANOS = Duration.ofMillis(5).toNanos();

    private final String entry;

    OrphanProcesses(String mark) {
        this.entry = "\0" + VARIABLE + "=" + mark + "\0";
    }

    /** Kills what there is, and what that has started meanwhile. */
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
            // That of a process which has ended, and of which nobody has asked how, is empty.
            String environment = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
            return ("\0" + environment).contains(entry);
        } catch (IOException notOursOrGone) {
            return false;
        }
    }
}
