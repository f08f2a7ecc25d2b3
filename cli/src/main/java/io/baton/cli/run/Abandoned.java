package io.baton.cli.run;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Ends a command whose watchdog was killed. Baton is not its parent, so it can neither wait for it nor get its status.
 */
final class Abandoned {

    private static final long LOOK_NANOS = Duration.ofMillis(10).toNanos();

    private final @Nullable ProcessHandle command;
    private final OrphanProcesses orphans;

    /** The command's process; null if it may not have been started. */
    Abandoned(@Nullable ProcessHandle command, OrphanProcesses orphans) {
        this.command = command;
        this.orphans = orphans;
    }

    /** Sends SIGTERM, and SIGKILL after this long. */
    void end(Duration patience) {
        if (command != null && command.isAlive()) {
            CommandSession session = new CommandSession(command);
            send("TERM", session);
            long asked = System.nanoTime();
            while (command.isAlive() && System.nanoTime() - asked < patience.toNanos()) {
                LockSupport.parkNanos(LOOK_NANOS);
            }
            send("KILL", session);
        }
        orphans.kill();
    }

    private static void send(String signal, CommandSession session) {
        session.sendToAll(group -> Signaller.group(group).send(signal));
    }
}
