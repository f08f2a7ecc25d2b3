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
 * The command that runs under the lock, with what it starts: a child of the watchdog.
 *
 * <p>It has baton's stdin, stdout and stderr, and where {@code setsid} is at hand a session of its own: then it is one
 * process group, every signal reaches all of it, and a terminal's Ctrl-C reaches it through baton only.
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

    /** The script that starts baton may have changed it, for Java's sake. */
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

    /** Runs this once the command has ended. */
    void onExit(Runnable task) {
        CompletableFuture<Void> unused = process.onExit().thenRun(task);
    }

    /** Waits until the command has ended, but no longer than this. */
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

    /** Sends a signal to the command and to what it has started. */
    void signal(String signal) {
        signaller.send(signal);
    }

    /** Ends the command and what it has started; nothing of it can resist. */
    void kill() {
        process.destroyForcibly();
        signaller.send("KILL");
    }
}
