package io.baton.benchmarks.failover;

import io.baton.testkit.server.Freezer;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** One {@code etcdctl elect}; it prints its key and its proposal when it leads. */
final class ElectProcess implements AutoCloseable {

    private static final int PATIENCE_SECONDS = 120;

    private final Process process;
    private final String proposal;
    private final CompletableFuture<Long> elected = new CompletableFuture<>();

    ElectProcess(List<String> etcdctl, String election, String proposal) throws IOException {
        List<String> command = new ArrayList<>(etcdctl);
        command.addAll(List.of("elect", election, proposal));
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().put("ETCDCTL_API", "3");
        this.proposal = proposal;
        this.process = builder.start();
        Thread reading = new Thread(this::read, "reads-" + proposal);
        reading.setDaemon(true);
        reading.start();
    }

    /** When it was seen to lead; waits for that. */
    long awaitElected() throws Exception {
        return elected.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    void kill() {
        process.destroyForcibly();
    }

    /** Lets it end in order: it resigns. */
    void resign() {
        process.destroy();
    }

    Freezer freeze() {
        return Freezer.freeze(process.pid());
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    private void read() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                long now = System.nanoTime();
                if (line.equals(proposal)) {
                    elected.complete(now);
                }
            }
        } catch (IOException closed) {
            elected.completeExceptionally(closed);
        }
    }
}
