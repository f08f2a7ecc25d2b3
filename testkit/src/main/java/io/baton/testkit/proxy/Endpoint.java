package io.baton.testkit.proxy;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;

/** One of the two sockets of a connection through the proxy, and what the proxy waits for on it. */
final class Endpoint {

    private final SocketChannel channel;
    private final SelectionKey key;

    Endpoint(SocketChannel channel, SelectionKey key) {
        this.channel = channel;
        this.key = key;
    }

    SocketChannel channel() {
        return channel;
    }

    /** Wait, or no longer, for one of the operations of {@link SelectionKey}. */
    void want(int operation, boolean wanted) {
        if (key.isValid()) {
            int now = key.interestOps();
            int then = wanted ? now | operation : now & ~operation;
            if (now != then) {
                key.interestOps(then);
            }
        }
    }

    /** Ends it in order, or as if its host had crashed and come back ({@code RST}). */
    void close(boolean reset) {
        try (channel) {
            if (reset && channel.isOpen()) {
                channel.setOption(StandardSocketOptions.SO_LINGER, 0);
            }
        } catch (IOException gone) {
            // Closed is what it should be.
            key.cancel();
        }
    }
}
