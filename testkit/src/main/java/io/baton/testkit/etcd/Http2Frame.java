package io.baton.testkit.etcd;

import java.nio.ByteBuffer;

/**
 * A frame of HTTP/2 (RFC 9113, section 4).
 *
 * @param stream the stream it belongs to; 0 is the connection
 * @param payload without padding and priority
 */
record Http2Frame(int type, int flags, int stream, ByteBuffer payload) {

    /** The size of a frame's header in bytes. */
    static final int HEADER = 9;

    static final int DATA = 0x0;
    static final int HEADERS = 0x1;
    static final int RST_STREAM = 0x3;
    static final int SETTINGS = 0x4;
    static final int CONTINUATION = 0x9;

    private static final int END_STREAM = 0x1;
    private static final int END_HEADERS = 0x4;
    private static final int PADDED = 0x8;
    private static final int PRIORITY = 0x20;
    private static final int PRIORITY_BYTES = 5;

    /** The length, header included, of the frame that begins at the buffer's position. */
    static int length(ByteBuffer bytes) {
        return HEADER + (bytes.getInt(bytes.position()) >>> 8);
    }

    /** Reads a frame; the buffer must hold all of it. */
    static Http2Frame read(ByteBuffer frame) {
        int type = frame.getInt() & 0xff;
        int flags = frame.get() & 0xff;
        int stream = frame.getInt() & Integer.MAX_VALUE;
        ByteBuffer payload = frame.slice();
        boolean padded = (type == DATA || type == HEADERS) && (flags & PADDED) != 0;
        if (padded) {
            int padding = payload.get() & 0xff;
            payload.limit(Math.max(payload.position(), payload.limit() - padding));
        }
        if (type == HEADERS && (flags & PRIORITY) != 0) {
            payload.position(Math.min(payload.limit(), payload.position() + PRIORITY_BYTES));
        }
        return new Http2Frame(type, flags, stream, payload);
    }

    boolean endsStream() {
        return (type == DATA || type == HEADERS) && (flags & END_STREAM) != 0;
    }

    boolean endsHeaders() {
        return (flags & END_HEADERS) != 0;
    }
}
