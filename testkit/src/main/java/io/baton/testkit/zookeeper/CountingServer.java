package io.baton.testkit.zookeeper;

import java.io.IOException;
import java.time.Duration;
import org.apache.zookeeper.server.ContainerManager;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.Request;
import org.apache.zookeeper.server.ServerCnxn;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.apache.zookeeper.server.persistence.FileTxnSnapLog;

/** A standalone server that counts its requests and does not register in JMX. */
final class CountingServer extends ZooKeeperServer {

    private static final int CONTAINERS_PER_MINUTE = 10_000;

    private final RequestLog requests;

    CountingServer(FileTxnSnapLog files, Duration tick, Duration maxSessionTimeout, RequestLog requests)
            throws IOException {
        super(files, (int) tick.toMillis(), -1, (int) maxSessionTimeout.toMillis(), -1, null, "");
        this.requests = requests;
    }

    /**
     * Creates the manager that removes empty containers. Start it after the server, and stop it before the server
     * stops.
     */
    ContainerManager containers(Duration interval) {
        return new ContainerManager(getZKDatabase(), firstProcessor, (int) interval.toMillis(), CONTAINERS_PER_MINUTE);
    }

    @Override
    public void submitRequest(Request request) {
        requests.add(request);
        super.submitRequest(request);
    }

    @Override
    protected void registerJMX() {
        // A test server is not managed.
    }

    /** The server's connections, likewise not registered in JMX. */
    static final class Connections extends NIOServerCnxnFactory {

        @Override
        public void registerConnection(ServerCnxn connection) {
            // See above.
        }
    }
}
