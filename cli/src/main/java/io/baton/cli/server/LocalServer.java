package io.baton.cli.server;

import io.baton.cli.DurationOption;
import io.baton.cli.Exit;
import io.baton.cli.Failure;
import java.io.IOException;
import java.net.BindException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.apache.zookeeper.server.ServerConfig;
import org.apache.zookeeper.server.quorum.QuorumPeerConfig;
import org.apache.zookeeper.server.quorum.QuorumPeerConfig.ConfigException;
import org.jspecify.annotations.Nullable;

/** One ZooKeeper server in this process. */
public final class LocalServer implements AutoCloseable {

    private static final Duration START = Duration.ofSeconds(30);
    private static final Duration DEFAULT_TICK = Duration.ofSeconds(2);
    private static final Duration LONGEST_SESSION = Duration.ofMinutes(2);

    private final DataDirectory directory;
    private final Thread atExit = new Thread(this::stop, "baton-server-stop");
    private volatile @Nullable ServerThread server;
    private String uri = "";

    private LocalServer(DataDirectory directory) {
        this.directory = directory;
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    /**
     * Starts a server and waits until it accepts clients.
     *
     * @param bind the address to listen on
     * @param port the port; 0 for any free one
     * @param tick the server's tickTime
     * @param data the directory of the data; null for a temporary one
     * @throws Failure if it cannot be started; the message says what to do
     */
    public static LocalServer start(String bind, int port, Duration tick, @Nullable Path data)
            throws InterruptedException {
        var local = new LocalServer(DataDirectory.of(data));
        boolean up = false;
        try {
            local.run(bind, port, tick);
            up = true;
            return local;
        } catch (ExecutionException failed) {
            throw explain(bind, port, failed.getCause());
        } catch (ConfigException | IOException | TimeoutException failed) {
            throw explain(bind, port, failed);
        } finally {
            if (!up) {
                local.close();
            }
        }
    }

    /** Its URI for clients. */
    public String uri() {
        return uri;
    }

    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException alreadyEnding) {
            return;
        }
        stop();
    }

    private void run(String bind, int port, Duration tick)
            throws ConfigException, IOException, ExecutionException, TimeoutException, InterruptedException {
        // Temporary data need not survive a power cut.
        System.setProperty("zookeeper.forceSync", directory.temporary() ? "no" : "yes");
        System.setProperty("zookeeper.admin.enableServer", "false");
        System.setProperty("zookeeper.4lw.commands.whitelist", "srvr,conf"); // 'baton doctor' asks for its tickTime
        var started = new ServerThread(configuration(bind, port, tick, directory.path()));
        server = started;
        uri = uri(bind, started.awaitPort(START), tick);
    }

    private void stop() {
        ServerThread started = server;
        if (started != null) {
            started.stop();
        }
        directory.release();
    }

    private static ServerConfig configuration(String bind, int port, Duration tick, Path directory)
            throws ConfigException, IOException {
        var properties = new Properties();
        properties.setProperty("dataDir", directory.toString());
        properties.setProperty("clientPortAddress", bind);
        properties.setProperty("clientPort", Integer.toString(port));
        properties.setProperty("tickTime", Long.toString(tick.toMillis()));
        long longest = Math.max(20 * tick.toMillis(), LONGEST_SESSION.toMillis());
        properties.setProperty("maxSessionTimeout", Long.toString(longest));
        properties.setProperty("maxClientCnxns", "0");
        var parsed = new QuorumPeerConfig();
        parsed.parseProperties(properties);
        var config = new ServerConfig();
        config.readFrom(parsed);
        return config;
    }

    private static String uri(String bind, int port, Duration tick) {
        String host = bind.contains(":") ? "[" + bind + "]" : bind;
        String query = tick.equals(DEFAULT_TICK) ? "" : "?tick=" + DurationOption.format(tick);
        return "zk://" + host + ":" + port + query;
    }

    private static Failure explain(String bind, int port, @Nullable Throwable failed) {
        String where = bind + ":" + port;
        if (failed instanceof BindException) {
            return new Failure(
                    Exit.CANNOT_SERVE,
                    "cannot listen on " + where + " (" + Failure.text(failed)
                            + "): stop what is there, or use --port 0 for a free one");
        }
        return new Failure(Exit.CANNOT_SERVE, "cannot start ZooKeeper on " + where + ": " + failed);
    }
}
