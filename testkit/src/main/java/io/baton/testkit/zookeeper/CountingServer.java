package io.baton.testkit.zookeeper;

import java.io.IOException;
import java.time.Duration;
import org.apache.zookeeper.server.ContainerManager;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.Request;
import org.apache.zookeeper.server.ServerCnxn;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.apache.zookeeper.server.persistence.FileTxnSnapLog;

/** A standalone server that counts what it is asked, and keeps out of the JVM's JMX. */
final class CountingServer extends ZooKeeperServer {

    private static final int CONTAINERS_PER_MINUTE = 10_000;

    private final RequestLog requests;

    CountingServer(FileTxnSnapLog files, Duration tick, Duration maxSessionTimeout, RequestLog requests)
            throws IOException {
        super(files, (int) tick.toMillis(), -1, (int) maxSessionTimeout.toMillis(), -1, null, "");
        this.requests = requests;
    }

    /** What removes empty containers; to be started once the server has started, and stopped before it stops. */
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
        // Nobody manages a server of a test.
    }

    /** Its connections, likewise kept out of JMX. */
    static final class Connections extends NIOServerCnxnFactory {

        @Override
        public void registerConnection(ServerCnxn connection) {
            // See above.
        }
    }
}
