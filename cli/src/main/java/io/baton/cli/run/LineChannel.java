package io.baton.cli.run;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A channel for lines of text between baton and its watchdog. One thread may send while another reads. Neither may be
 * interrupted, since that closes the channel.
 */
final class LineChannel implements AutoCloseable {

    private final SocketChannel channel;
    private final ByteBuffer arrived = ByteBuffer.allocate(512).limit(0);

    LineChannel(SocketChannel channel) {
        this.channel = channel;
    }

    /** Connects to the listener on this socket. */
    static LineChannel to(Path socket) throws IOException {
        return new LineChannel(SocketChannel.open(UnixDomainSocketAddress.of(socket)));
    }

    void send(String line) throws IOException {
        ByteBuffer bytes = StandardCharsets.UTF_8.encode(line + "\n");
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    /** Returns the next line; null once the other side has closed, in whatever way. */
    @Nullable
    String next() {
        var line = new ByteArrayOutputStream();
        while (true) {
            while (arrived.hasRemaining()) {
                byte one = arrived.get();
                if (one == '\n') {
                    return line.toString(StandardCharsets.UTF_8);
                }
                line.write(one);
            }
            if (!more()) {
                return null;
            }
        }
    }

    private boolean more() {
        try {
            int count = channel.read(arrived.clear());
            arrived.flip();
            return count >= 0;
        } catch (IOException gone) {
            return false;
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException gone) {
            // The channel is closed, as intended.
        }
    }
}
