package io.baton.testkit.proxy;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;

/** One of the two sockets of a proxied connection, with the operations that the proxy waits for on it. */
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

    /** Starts or stops waiting for an operation of {@link SelectionKey}. */
    void want(int operation, boolean wanted) {
        if (key.isValid()) {
            int now = key.interestOps();
            int then = wanted ? now | operation : now & ~operation;
            if (now != then) {
                key.interestOps(then);
            }
        }
    }

    /** Closes the socket in order, or with {@code RST} as after a crash of its host. */
    void close(boolean reset) {
        try (channel) {
            if (reset && channel.isOpen()) {
                channel.setOption(StandardSocketOptions.SO_LINGER, 0);
            }
        } catch (IOException gone) {
            // The socket is closed already.
            key.cancel();
        }
    }
}
