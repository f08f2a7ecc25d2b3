package io.baton.cli.run;

import io.baton.cli.Exit;
import io.baton.cli.Failure;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The command that runs under the mandate, with its descendants: a child of the watchdog.
 *
 * <p>It inherits baton's stdin, stdout and stderr. If {@code setsid} is available, it has its own session and is one
 * process group. Every signal then reaches the whole group, and a terminal's Ctrl-C reaches it through baton only.
 */
final class Child {

    private final Process process;
    private final Signaller signaller;

    private Child(Process process, Signaller signaller) {
        this.process = process;
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
            Signaller signaller = setsid.isPresent() ? killer.group(process.pid()) : Signaller.tree(process.toHandle());
            return new Child(process, signaller);
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

    /** Waits until the command has ended, at most this long. */
    void waitFor(long nanos) throws InterruptedException {
        boolean unused = process.waitFor(nanos, TimeUnit.NANOSECONDS);
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

    /** Kills the command and its descendants. */
    void kill() {
        process.destroyForcibly();
        signaller.send("KILL");
    }
}
