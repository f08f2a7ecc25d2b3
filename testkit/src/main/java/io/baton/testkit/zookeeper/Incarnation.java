package io.baton.testkit.zookeeper;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.server.ContainerManager;
import org.apache.zookeeper.server.DataTree;
import org.apache.zookeeper.server.ServerCnxn.DisconnectReason;
import org.apache.zookeeper.server.persistence.FileTxnSnapLog;
import org.apache.zookeeper.util.ServiceUtils;
import org.jspecify.annotations.Nullable;

/** A server in this JVM, from its start to its stop. */
final class Incarnation {

    /** The settings that all incarnations share. */
    record Settings(
            InetSocketAddress address,
            Path data,
            Duration tick,
            Duration maxSessionTimeout,
            Duration containerInterval,
            RequestLog requests) {}

    private interface Step {
        void run() throws IOException, InterruptedException;
    }

    private static final long PATIENCE_MILLIS = 10_000;

    /** The group of every thread that the server starts, so that stopping can wait for them all. */
    private final ThreadGroup threads;

    private final FileTxnSnapLog files;
    private final CountingServer server;
    private final CountingServer.Connections connections = new CountingServer.Connections();
    private @Nullable ContainerManager containers;

    private Incarnation(Settings settings) throws IOException {
        threads = new ThreadGroup("zookeeper-" + settings.address().getPort());
        files = new FileTxnSnapLog(settings.data().toFile(), settings.data().toFile());
        server = new CountingServer(files, settings.tick(), settings.maxSessionTimeout(), settings.requests());
    }

    /** Loads the data and starts to serve. An interrupt does not cut this short, and stays set. */
    static Incarnation start(Settings settings) throws IOException {
        // A fatal error of the server must not exit the JVM of the tests.
        ServiceUtils.setSystemExitProcedure(ServiceUtils.LOG_ONLY);
        Incarnation incarnation = new Incarnation(settings);
        try {
            perform(incarnation.threads, () -> incarnation.run(settings));
        } catch (IOException broken) {
            incarnation.stop();
            throw broken;
        }
        return incarnation;
    }

    /** Performs a step in a thread of its own, which an interrupt of this thread does not reach. */
    private static void perform(ThreadGroup group, Step step) throws IOException {
        CompletableFuture<@Nullable Void> done = new CompletableFuture<>();
        Runnable task = () -> {
            try {
                step.run();
                done.complete(null);
            } catch (IOException | InterruptedException | RuntimeException | Error broken) {
                done.completeExceptionally(broken);
            }
        };
        new Thread(group, task).start();
        try {
            done.join();
        } catch (CompletionException failed) {
            throw failed.getCause() instanceof IOException broken ? broken : new IOException(failed.getCause());
        }
    }

    private void run(Settings settings) throws IOException, InterruptedException {
        connections.configure(settings.address(), 0);
        connections.startup(server);
        containers = server.containers(settings.containerInterval());
        containers.start();
    }

    void expire(long sessionId) {
        server.expire(sessionId);
    }

    void numberFrom(String path, int first) throws KeeperException.NoNodeException {
        DataTree tree = server.getZKDatabase().getDataTree();
        tree.setCversionPzxid(path, first, tree.lastProcessedZxid);
    }

    Contents contents() {
        DataTree tree = server.getZKDatabase().getDataTree();
        return new Contents(tree.getNodeCount(), tree.getEphemeralsCount(), tree.getWatchCount());
    }

    boolean closeConnection(long sessionId) {
        return connections.closeSession(sessionId, DisconnectReason.CONNECTION_CLOSE_FORCED);
    }

    /**
     * Closes connections and files, but no session, and waits for the threads. An interrupt does not cut this short, and
     * stays set.
     */
    void stop() throws IOException {
        perform(Thread.currentThread().getThreadGroup(), this::end);
    }

    private void end() throws IOException, InterruptedException {
        if (containers != null) {
            containers.stop();
        }
        connections.shutdown();
        server.shutdown(true);
        files.close();
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS);
        Thread[] left = new Thread[threads.activeCount() + 16];
        int n = threads.enumerate(left);
        for (int i = 0; i < n; i++) {
            long patience = Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime()));
            left[i].join(patience);
            if (left[i].isAlive()) {
                throw new IOException("ZooKeeper's thread '" + left[i].getName() + "' does not end");
            }
        }
    }
}
