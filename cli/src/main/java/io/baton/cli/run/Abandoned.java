package io.baton.cli.run;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Ends a command whose watchdog was killed. Baton is not its parent, so it can neither wait for it nor get its status.
 */
final class Abandoned {

    private static final long LOOK_NANOS = Duration.ofMillis(10).toNanos();

    private final @Nullable ProcessHandle command;
    private final OrphanProcesses orphans;
    private final LongFunction<Signaller> groups;

    /**
     * An abandoned command.
     *
     * @param command its process; null if it may not have been started
     * @param groups makes what sends signals to the process group of a number
     */
    Abandoned(@Nullable ProcessHandle command, OrphanProcesses orphans, LongFunction<Signaller> groups) {
        this.command = command;
        this.orphans = orphans;
        this.groups = groups;
    }

    /** Sends SIGTERM, and SIGKILL after this long. */
    void end(Duration patience) {
        if (anyAlive()) {
            send("TERM");
            long asked = System.nanoTime();
            while (anyAlive() && System.nanoTime() - asked < patience.toNanos()) {
                LockSupport.parkNanos(LOOK_NANOS);
            }
        }
        kill();
    }

    /** Sends SIGKILL. */
    void kill() {
        if (anyAlive()) {
            send("KILL");
        }
        orphans.kill();
    }

    /** A process of the command that runs all the same, as it belongs to another user; empty if none is known. */
    OptionalLong survivor() {
        OptionalLong known = inSession();
        return known.isPresent() ? known : orphans.any();
    }

    /** Whether the command runs, or something in its session. */
    private boolean anyAlive() {
        return command != null && (command.isAlive() || inSession().isPresent());
    }

    private OptionalLong inSession() {
        return command == null ? OptionalLong.empty() : new CommandSession(command).anyAlive();
    }

    private void send(String signal) {
        if (command != null) {
            new CommandSession(command).sendToAll(group -> groups.apply(group).send(signal));
        }
    }
}
