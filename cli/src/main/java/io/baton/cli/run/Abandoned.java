package io.baton.cli.run;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A command whose watchdog has been killed. Baton is not its parent, so it cannot wait for it or ask how it ended; it
 * ends it.
 */
final class Abandoned {

    private static final long LOOK_NANOS = Duration.ofMillis(10).toNanos();

    private final @Nullable ProcessHandle command;
    private final OrphanProcesses orphans;

    /** The command's process; null if it is not known whether it was started. */
    Abandoned(@Nullable ProcessHandle command, OrphanProcesses orphans) {
        this.command = command;
        this.orphans = orphans;
    }

    /** Ends it: SIGTERM, and SIGKILL after this long. */
    void end(Duration patience) {
        if (command != null && command.isAlive()) {
            Signaller group = Signaller.group(command.pid());
            group.send("TERM");
            long asked = System.nanoTime();
            while (command.isAlive() && System.nanoTime() - asked < patience.toNanos()) {
                LockSupport.parkNanos(LOOK_NANOS);
            }
            group.send("KILL");
        }
        orphans.kill();
    }
}
