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

/** A handle whose end tells whether the server has heard of it; the library's own {@link #close()} does not look. */
@SuppressWarnings("try") // the library's close may throw InterruptedException
public final class OwnHandle extends ZooKeeper {

    /** One that sends, and one for events. */
    private static final int THREADS = 2;

    private final ServerRotation servers;

    /**
     * A handle that begins to connect.
     *
     * @throws StoreUnavailableException if there are no threads to be had for it: half of it could not be ended
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

    /** The last transaction that its servers have told it of. */
    long seen() {
        return cnxn.getLastZxid();
    }

    /**
     * Ends the session as {@link #close()} does, without waiting and without a thread for it: there may be none to be had.
     *
     * @param ended told once, on the handle's event thread or here, within the read timeout: true if the session has
     *     certainly ended
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
            // Who is not alive any more has ended its threads, and this may be one that the other would wait for.
            if (getState().isAlive()) {
                cnxn.disconnect();
            }
            // Anything else is the library's guess: "session expired" only means that it has given up.
            ended.accept(reply.getErr() == Code.OK.intValue());
        };
        cnxn.queuePacket(request, reply, null, null, answered, null, null, null, null);
        // Now that it is about to close, it must not go on waiting for a server.
        servers.close();
    }
}
