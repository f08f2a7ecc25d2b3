package io.baton.testkit.etcd;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Runs a program and waits until it ends. */
final class Command {

    private Command() {}

    /** The exit status and output of a program. */
    record Outcome(int status, String out, String err) {

        boolean ok() {
            return status == 0;
        }
    }

    /**
     * Runs a program with empty standard input. The environment holds the given variables and none of etcd's other
     * settings.
     *
     * @throws IllegalStateException if the program has not ended within {@code patience}; it is killed
     */
    static Outcome run(List<String> command, Map<String, String> environment, Duration patience) {
        try {
            ProcessBuilder builder = new ProcessBuilder(command);
            withoutSettings(builder).putAll(environment);
            Process process = builder.start();
            process.getOutputStream().close();
            CompletableFuture<String> out = CompletableFuture.supplyAsync(() -> text(process.getInputStream()));
            CompletableFuture<String> err = CompletableFuture.supplyAsync(() -> text(process.getErrorStream()));
            if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly().waitFor();
                throw new IllegalStateException("gave up " + command + " after " + patience);
            }
            return new Outcome(process.exitValue(), out.join(), err.join());
        } catch (IOException broken) {
            throw new UncheckedIOException("cannot run " + command, broken);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", interrupted);
        }
    }

    /** Removes the settings of etcd and etcdctl from the builder's environment, and returns what is left. */
    static Map<String, String> withoutSettings(ProcessBuilder builder) {
        Map<String, String> environment = builder.environment();
        environment.keySet().removeIf(name -> name.startsWith("ETCD"));
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
