package io.baton.testkit.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Runs a program and waits until it ends. */
public final class Command {

    private static final List<String> SETTINGS = List.of("ETCD", "PG", "MARIADB_", "MYSQL_");

    private Command() {}

    /** The exit status and output of a program. */
    public record Outcome(int status, String out, String err) {

        /** Whether the status is 0. */
        public boolean ok() {
            return status == 0;
        }
    }

    /** Runs a program with empty standard input; otherwise as {@link #run(List, Map, String, Duration)}. */
    public static Outcome run(List<String> command, Map<String, String> environment, Duration patience) {
        return run(command, environment, "", patience);
    }

    /**
     * Runs a program with this standard input. The environment holds the given variables and none of servers' other
     * settings.
     *
     * @throws IllegalStateException if the program has not ended within {@code patience}, or if the thread is
     *     interrupted; the program is killed with all that it has started
     */
    public static Outcome run(List<String> command, Map<String, String> environment, String input, Duration patience) {
        Process process = start(command, environment);
        try {
            CompletableFuture<String> out = CompletableFuture.supplyAsync(() -> text(process.getInputStream()));
            CompletableFuture<String> err = CompletableFuture.supplyAsync(() -> text(process.getErrorStream()));
            write(process, input);
            if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                killAll(process);
                throw new IllegalStateException("gave up " + command + " after " + patience);
            }
            return new Outcome(process.exitValue(), out.join(), err.join());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            killAll(process);
            throw new IllegalStateException("interrupted", interrupted);
        }
    }

    private static Process start(List<String> command, Map<String, String> environment) {
        ProcessBuilder builder = new ProcessBuilder(command);
        withoutSettings(builder).putAll(environment);
        try {
            return builder.start();
        } catch (IOException broken) {
            throw new UncheckedIOException("cannot run " + command, broken);
        }
    }

    /** Waits until all have ended, as they may write to a directory that is deleted next. */
    private static void killAll(Process process) {
        List<ProcessHandle> started = process.descendants().toList();
        ProcessEnd.await(process.destroyForcibly());
        started.forEach(ProcessHandle::destroyForcibly);
        started.forEach(each -> ProcessEnd.await(each.pid()));
    }

    /** A program that ends before it has read all says why in its output. */
    private static void write(Process process, String input) {
        try (OutputStream to = process.getOutputStream()) {
            to.write(input.getBytes(StandardCharsets.UTF_8));
        } catch (IOException ended) {
            return;
        }
    }

    /** Removes the settings of servers and their clients from the builder's environment, and returns what is left. */
    static Map<String, String> withoutSettings(ProcessBuilder builder) {
        Map<String, String> environment = builder.environment();
        environment.keySet().removeIf(name -> SETTINGS.stream().anyMatch(name::startsWith));
        return environment;
    }

    private static String text(InputStream stream) {
        try (stream) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException gone) {
            return "";
        }
    }
}
