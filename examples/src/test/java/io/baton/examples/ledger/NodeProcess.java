package io.baton.examples.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.baton.testkit.server.ChildProcess;
import io.baton.testkit.server.Freezer;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A {@link RecklessNode}, as who disturbs it sees it. It ends with this JVM, however that ends. */
final class NodeProcess implements AutoCloseable {

    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final String ENDED = "ended";

    private final String id;
    private final Process process;
    private final BlockingQueue<String> said = new LinkedBlockingQueue<>();
    private int port;

    private NodeProcess(String id, Process process) {
        this.id = id;
        this.process = process;
        var reader = new Thread(this::listen, "output-" + id);
        reader.setDaemon(true);
        reader.start();
    }

    /**
     * Starts one, which is ready when this returns.
     *
     * @param fence the command that fences
     */
    static NodeProcess start(String store, Duration ttl, String id, List<String> fence)
            throws IOException, InterruptedException {
        Path log = Path.of("target", "ledger", id + ".log");
        Files.createDirectories(log.getParent());
        List<String> arguments = new ArrayList<>(List.of(store, Long.toString(ttl.toMillis()), id));
        arguments.addAll(fence);
        List<String> flags = List.of("-Xmx64m", "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn");
        Process process = ChildProcess.small(RecklessNode.class, flags, arguments)
                .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
        var node = new NodeProcess(id, process);
        node.await(RecklessNode.READY);
        node.port = Integer.parseInt(node.next());
        return node;
    }

    /** Where it listens. */
    int port() {
        return port;
    }

    /** Kills it ({@code SIGKILL}). */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Tells it to end ({@code SIGTERM}). */
    void terminate() throws InterruptedException {
        process.toHandle().destroy(); // and not process.destroy(), which ends its standard input as well
        if (!process.waitFor(LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new IllegalStateException(id + " does not end");
        }
    }

    /** Stops it where it is ({@code SIGSTOP}), until thawed ({@code SIGCONT}). */
    Freezer freeze() {
        return Freezer.freeze(process.pid());
    }

    /** Waits until it says this. */
    void await(String word) throws InterruptedException {
        String next = next();
        if (!next.equals(word)) {
            throw new IllegalStateException(
                    id + " said '" + next + "', not '" + word + "'; target/ledger/" + id + ".log");
        }
    }

    /** The next that it says. */
    private String next() throws InterruptedException {
        String next = said.poll(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        return next == null ? "nothing" : next;
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    private void listen() {
        try (BufferedReader lines = process.inputReader(UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                said.add(line);
            }
        } catch (IOException gone) {
            said.add(ENDED);
            return;
        }
        said.add(ENDED);
    }
}
