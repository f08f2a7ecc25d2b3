package io.baton.testkit.proxy;

import java.nio.ByteBuffer;

/** A length of four bytes, big-endian, and then the message. */
record LengthPrefixed(int most) implements Framing, Framing.Conversation {

    @Override
    public Conversation begin() {
        return this;
    }

    @Override
    public int length(Direction direction, ByteBuffer bytes) {
        if (bytes.remaining() < Integer.BYTES) {
            return 0;
        }
        int length = bytes.getInt(bytes.position());
        return length < 0 || length > most ? NO_MESSAGE : Integer.BYTES + length;
    }

    @Override
    public String name(Direction direction, ByteBuffer message) {
        return "message";
    }
}
