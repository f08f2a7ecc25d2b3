package io.baton.zookeeper;

import java.io.IOException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.proto.RequestHeader;

/** A handle whose end tells whether the server has heard of it; the library's own {@link #close()} does not look. */
@SuppressWarnings("try") // the library's close may throw InterruptedException
final class OwnHandle extends ZooKeeper {

    OwnHandle(String hosts, int timeoutMillis, Watcher watcher, ZKClientConfig config) throws IOException {
        super(hosts, timeoutMillis, watcher, false, config);
    }

    /** The last transaction that its servers have told it of. */
    long seen() {
        return cnxn.getLastZxid();
    }

    /** Ends the session as {@link #close()} does; true if it has certainly ended. Waits for the read timeout at most. */
    boolean end() throws InterruptedException {
        if (!getState().isAlive()) {
            return false;
        }
        var request = new RequestHeader();
        request.setType(OpCode.closeSession);
        try {
            // Anything else is the library's guess: "session expired" only means that it has given up.
            return cnxn.submitRequest(request, null, null, null).getErr() == Code.OK.intValue();
        } finally {
            cnxn.disconnect();
        }
    }
}
