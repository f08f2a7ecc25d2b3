package io.baton.zookeeper.wire;

import io.baton.StoreUnavailableException;
import io.baton.spi.support.Background;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.zookeeper.AsyncCallback;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.proto.ReplyHeader;
import org.apache.zookeeper.proto.RequestHeader;

/**
 * A ZooKeeper handle that reports whether the server has confirmed the session's end. The library's own {@link
 * #close()} does not.
 */
@SuppressWarnings("try") // the library's close may throw InterruptedException
public final class OwnHandle extends ZooKeeper {

    /** One thread that sends, and one for events. */
    private static final int THREADS = 2;

    private final ServerRotation servers;

    /**
     * Opens a handle and begins to connect.
     *
     * @throws StoreUnavailableException if its threads cannot be started: a half-started handle cannot be ended
     */
    public static OwnHandle open(
            String hosts, Duration timeout, LongSupplier nanoTime, Watcher watcher, ZKClientConfig config)
            throws IOException {
        if (!Background.mayStart(THREADS)) {
            throw new StoreUnavailableException("no threads to be had for a connection to " + hosts);
        }
        var servers = new ServerRotation(hosts, timeout, nanoTime);
        try {
            return new OwnHandle(hosts, timeout, watcher, servers, config);
        } catch (Throwable broken) {
            servers.abandon();
            throw broken;
        }
    }

    private OwnHandle(String hosts, Duration timeout, Watcher watcher, ServerRotation servers, ZKClientConfig config)
            throws IOException {
        super(hosts, (int) timeout.toMillis(), watcher, false, servers, config);
        this.servers = servers;
    }

    /** Returns the zxid of the last transaction that the servers have reported to this handle. */
    long seen() {
        return cnxn.getLastZxid();
    }

    /**
     * Ends the session as {@link #close()} does, without blocking and without a new thread, which might not be
     * available.
     *
     * @param ended called once, on the handle's event thread or on the calling thread, within the read timeout: true if
     *     the session has certainly ended
     */
    public void end(Consumer<Boolean> ended) {
        if (!getState().isAlive()) {
            servers.close();
            ended.accept(false);
            return;
        }
        var request = new RequestHeader();
        request.setType(OpCode.closeSession);
        var reply = new ReplyHeader();
        AsyncCallback.VoidCallback answered = (code, path, context) -> {
            // A handle that is no longer alive has ended its threads; disconnect() might wait for the current one.
            if (getState().isAlive()) {
                cnxn.disconnect();
            }
            // Any other code is the library's guess: "session expired" only means that it has given up.
            ended.accept(reply.getErr() == Code.OK.intValue());
        };
        cnxn.queuePacket(request, reply, null, null, answered, null, null, null, null);
        // The handle is about to close, so it must not wait for a server any longer.
        servers.close();
    }
}
