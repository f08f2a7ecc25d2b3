package io.baton.testkit.etcd;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Assembles the messages of one direction of a call: a byte for compression, the length, the message. */
final class GrpcMessages {

    private static final int HEADER = 1 + Integer.BYTES;

    private ByteBuffer begun = ByteBuffer.allocate(0);

    /**
     * Adds bytes, and returns the messages that they complete. A compressed message, which etcd does not send, is
     * returned empty.
     */
    List<byte[]> add(ByteBuffer bytes) {
        ByteBuffer all = ByteBuffer.allocate(begun.remaining() + bytes.remaining());
        all.put(begun).put(bytes).flip();
        List<byte[]> messages = new ArrayList<>();
        while (all.remaining() >= HEADER && all.remaining() - HEADER >= all.getInt(all.position() + 1)) {
            boolean compressed = all.get() != 0;
            byte[] message = new byte[all.getInt()];
            all.get(message);
            messages.add(compressed ? new byte[0] : message);
        }
        begun = all;
        return messages;
    }
}
