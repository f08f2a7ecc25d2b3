package io.baton.examples.ledger;

import io.baton.examples.ProgramProcess;
import io.baton.testkit.server.Freezer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A {@link RecklessNode}, as who disturbs it sees it. It ends with this JVM, however that ends. */
final class NodeProcess implements AutoCloseable {

    private final ProgramProcess process;
    private final int port;

    private NodeProcess(ProgramProcess process, int port) {
        this.process = process;
        this.port = port;
    }

    /**
     * Starts one, which is ready when this returns.
     *
     * @param fence the command that fences
     */
    static NodeProcess start(String store, Duration ttl, String id, List<String> fence)
            throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(List.of(store, Long.toString(ttl.toMillis()), id));
        arguments.addAll(fence);
        ProgramProcess process = ProgramProcess.start(RecklessNode.class, "ledger/" + id, arguments);
        process.await(RecklessNode.READY);
        return new NodeProcess(process, Integer.parseInt(process.next()));
    }

    /** Where it listens. */
    int port() {
        return port;
    }

    /** Kills it ({@code SIGKILL}). */
    void kill() throws InterruptedException {
        process.kill();
    }

    /** Tells it to end ({@code SIGTERM}). */
    void terminate() throws InterruptedException {
        process.terminate();
    }

    /** Stops it where it is ({@code SIGSTOP}), until thawed ({@code SIGCONT}). */
    Freezer freeze() {
        return process.freeze();
    }

    /** Waits until it says this. */
    void await(String word) throws InterruptedException {
        process.await(word);
    }

    @Override
    public void close() {
        process.close();
    }
}
