package io.baton.zookeeper;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.function.LongSupplier;
import org.apache.zookeeper.AsyncCallback;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.proto.ReplyHeader;
import org.apache.zookeeper.proto.RequestHeader;

/** A handle whose end tells whether the server has heard of it; the library's own {@link #close()} does not look. */
@SuppressWarnings("try") // the library's close may throw InterruptedException
final class OwnHandle extends ZooKeeper {

    private final ServerRotation servers;

    OwnHandle(String hosts, Duration timeout, LongSupplier nanoTime, Watcher watcher, ZKClientConfig config)
            throws IOException {
        this(hosts, timeout, watcher, new ServerRotation(hosts, timeout, nanoTime), config);
    }

    private OwnHandle(String hosts, Duration timeout, Watcher watcher, ServerRotation servers, ZKClientConfig config)
            throws IOException {
        super(hosts, (int) timeout.toMillis(), watcher, false, servers, config);
        this.servers = servers;
    }

    /** The last transaction that its servers have told it of. */
    long seen() {
        return cnxn.getLastZxid();
    }

    /** Ends the session as {@link #close()} does; true if it has certainly ended. Waits for the read timeout at most. */
    boolean end() throws InterruptedException {
        if (!getState().isAlive()) {
            servers.close();
            return false;
        }
        var request = new RequestHeader();
        request.setType(OpCode.closeSession);
        var reply = new ReplyHeader();
        var answered = new CountDownLatch(1);
        AsyncCallback.VoidCallback done = (code, path, context) -> answered.countDown();
        try {
            cnxn.queuePacket(request, reply, null, null, done, null, null, null, null);
            // Now that it is about to close, it must not go on waiting for a server.
            servers.close();
            answered.await();
            // Anything else is the library's guess: "session expired" only means that it has given up.
            return reply.getErr() == Code.OK.intValue();
        } finally {
            servers.close();
            cnxn.disconnect();
        }
    }
}
