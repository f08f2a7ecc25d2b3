package io.baton.cli.server;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.zookeeper.server.ServerConfig;
import org.apache.zookeeper.server.ZooKeeperServerMain;
import org.apache.zookeeper.server.admin.AdminServer.AdminServerException;

/**
 * Runs the server's main loop on its own thread.
 *
 * <p>ZooKeeper's {@code ZooKeeperServerEmbedded} does the same, but does not expose why a server could not start.
 */
final class ServerThread {

    private final CompletableFuture<Integer> port = new CompletableFuture<>();
    private final ZooKeeperServerMain main = new ZooKeeperServerMain() {
        @Override
        protected void serverStarted() {
            port.complete(getClientPort());
        }
    };
    private final Thread thread;

    ServerThread(ServerConfig config) {
        thread = new Thread(() -> run(config), "baton-server");
        thread.setDaemon(true);
        thread.start();
    }

    /** Waits until the server listens, and returns its port. */
    int awaitPort(Duration timeout) throws ExecutionException, TimeoutException, InterruptedException {
        return port.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Stops the server and waits until it has stopped. */
    void stop() {
        main.close();
    }

    private void run(ServerConfig config) {
        try {
            main.runFromConfig(config);
        } catch (IOException | AdminServerException | RuntimeException failed) {
            port.completeExceptionally(failed);
        }
    }
}
