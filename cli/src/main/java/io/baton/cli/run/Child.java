package io.baton.cli.run;

import io.baton.cli.Exit;
import io.baton.cli.Failure;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The command that runs under the mandate, with its descendants: a child of the watchdog.
 *
 * <p>It inherits baton's stdin, stdout and stderr. If {@code setsid} is available, it has its own session. Every signal
 * then reaches all that is in the session, and a terminal's Ctrl-C reaches it through baton only.
 */
final class Child {

    private static final long LOOK_NANOS = Duration.ofMillis(5).toNanos();

    /** A process that survives this long waits for a device, or belongs to another user. */
    private static final long KILL_NANOS = Duration.ofMillis(500).toNanos();

    private final Process process;
    private final CommandSession session;
    private final Signaller signaller;

    private Child(Process process, CommandSession session, Signaller signaller) {
        this.process = process;
        this.session = session;
        this.signaller = signaller;
    }

    /**
     * Starts the command.
     *
     * @throws Failure if it cannot be started
     */
    static Child start(List<String> command, Map<String, String> environment, Killer killer) {
        Optional<Path> setsid = Executable.find("setsid");
        var line = new ArrayList<String>();
        setsid.ifPresent(path -> line.add(path.toString()));
        line.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(line).inheritIO();
        builder.environment().putAll(environment);
        restoreLocale(builder.environment());
        try {
            Process process = builder.start();
            CommandSession session = new CommandSession(process.toHandle());
            Signaller signaller = setsid.isPresent() ? killer.session(session) : Signaller.tree(process.toHandle());
            return new Child(process, session, signaller);
        } catch (IOException refused) {
            throw new Failure(Exit.CANNOT_START, "cannot start '" + command.get(0) + "': " + refused.getMessage());
        }
    }

    /** The script that starts baton may have changed the locale for Java. */
    private static void restoreLocale(Map<String, String> environment) {
        String before = environment.remove("BATON_LC_ALL");
        if (before != null && before.isEmpty()) {
            environment.remove("LC_ALL");
        } else if (before != null) {
            environment.put("LC_ALL", before);
        }
    }

    long pid() {
        return process.pid();
    }

    boolean alive() {
        return process.isAlive();
    }

    /** Runs the task once the command has ended. */
    void onExit(Runnable task) {
        CompletableFuture<Void> unused = process.onExit().thenRun(task);
    }

    /** Whether the command runs, or something in its session. */
    boolean anyAlive() {
        return survivor().isPresent();
    }

    private OptionalLong survivor() {
        return alive() ? OptionalLong.of(pid()) : session.anyAlive();
    }

    /** Waits until the command itself has ended, at most this long. */
    void waitFor(long nanos) throws InterruptedException {
        boolean unused = process.waitFor(nanos, TimeUnit.NANOSECONDS);
    }

    /** Waits until the command and all in its session have ended, at most this long. */
    void waitForAll(long nanos) throws InterruptedException {
        long start = System.nanoTime();
        if (process.waitFor(nanos, TimeUnit.NANOSECONDS)) {
            while (anyAlive() && System.nanoTime() - start < nanos) {
                TimeUnit.NANOSECONDS.sleep(LOOK_NANOS);
            }
        }
    }

    /** The exit status of a command that has ended; 128+n if signal n ended it. */
    int status() {
        return process.exitValue();
    }

    /** As {@link #status}; empty while it runs. */
    OptionalInt ended() {
        return alive() ? OptionalInt.empty() : OptionalInt.of(status());
    }

    /** Sends a signal to the command and its descendants. */
    void signal(String signal) {
        signaller.send(signal);
    }

    /**
     * Kills the command and its descendants, also those that are started meanwhile. Gives up on what survives that for
     * half a second, and returns one of those.
     */
    OptionalLong kill() {
        long start = System.nanoTime();
        process.destroyForcibly();
        OptionalLong survivor;
        do {
            signaller.send("KILL");
            LockSupport.parkNanos(LOOK_NANOS);
            survivor = survivor();
        } while (survivor.isPresent() && System.nanoTime() - start < KILL_NANOS);
        return survivor;
    }
}
