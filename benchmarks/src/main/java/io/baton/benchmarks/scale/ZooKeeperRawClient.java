package io.baton.benchmarks.scale;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.baton.benchmarks.ZooKeeperHandle;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.KeeperException.NodeExistsException;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;

/** ZooKeeper's own client. */
final class ZooKeeperRawClient implements RawClient {

    private static final int TIMEOUT_MILLIS = 30_000;
    private static final int IN_FLIGHT = 500;
    private static final String NODES = "Node count: ";

    private final InetSocketAddress server;
    private final ZooKeeper client;
    private long requests;

    ZooKeeperRawClient(InetSocketAddress server) throws Exception {
        this.server = server;
        client = ZooKeeperHandle.connect(ScaleStore.servers(server), TIMEOUT_MILLIS);
    }

    /** By the command of four letters that every server answers; a count by request would take threads of the server. */
    @Override
    public long entries() throws IOException {
        try (Socket socket = new Socket(server.getAddress(), server.getPort())) {
            socket.getOutputStream().write("srvr".getBytes(US_ASCII));
            String answer = new String(socket.getInputStream().readAllBytes(), US_ASCII);
            return answer.lines()
                    .filter(line -> line.startsWith(NODES))
                    .mapToLong(line -> Long.parseLong(line.substring(NODES.length())))
                    .findFirst()
                    .orElseThrow(() -> new IOException("the server does not tell of its nodes: " + answer));
        }
    }

    @Override
    public void fill(String line, int entries) throws Exception {
        make(ROOT);
        make(LOCKS);
        make(LOCKS + "/" + line);
        var window = new Semaphore(IN_FLIGHT);
        var failed = new AtomicInteger();
        for (int i = 0; i < entries; i++) {
            window.acquire();
            requests++;
            client.create(
                    LOCKS + "/" + line + "/_c_" + UUID.randomUUID() + "-lock-",
                    new byte[0],
                    Ids.OPEN_ACL_UNSAFE,
                    CreateMode.EPHEMERAL_SEQUENTIAL,
                    (code, path, context, name) -> {
                        if (code != Code.OK.intValue()) {
                            failed.incrementAndGet();
                        }
                        window.release();
                    },
                    null);
        }
        window.acquire(IN_FLIGHT);
        if (failed.get() > 0) {
            throw new IllegalStateException(failed.get() + " entries could not be written");
        }
    }

    @Override
    public long requests() {
        return requests;
    }

    @Override
    public void close() {
        try {
            client.close();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void make(String path) throws KeeperException, InterruptedException {
        try {
            requests++;
            client.create(path, new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.CONTAINER);
        } catch (NodeExistsException already) {
            // As it should be.
        }
    }
}
