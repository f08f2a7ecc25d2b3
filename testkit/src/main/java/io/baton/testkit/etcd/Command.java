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

/** Runs a program to its end. */
final class Command {

    private Command() {}

    /** How it ended, and what it said. */
    record Outcome(int status, String out, String err) {

        boolean ok() {
            return status == 0;
        }
    }

    /**
     * Runs a program with nothing in its input. Of the environment it gets nothing that would configure etcd, but these.
     *
     * @throws IllegalStateException if it has not ended by then; it is killed
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

    /** Takes what would configure etcd or etcdctl out of the environment, and gives the rest. */
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
