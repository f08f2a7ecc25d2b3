package io.baton.zookeeper.wire;

import java.nio.ByteBuffer;

/**
 * The first packet of a connection, with which a client requests a session. Servers answer it regardless of their
 * whitelist.
 */
final class ConnectPacket {

    /** The size of the shortest valid packet, in bytes. */
    static final int LEAST = 45;

    /** The offset at which the granted timeout of an answer ends. */
    static final int ANSWER = 3 * Integer.BYTES;

    private static final int PASSWORD = 16;
    private static final int LEAST_RESPONSE = 36;
    private static final int MOST_RESPONSE = 64;

    private ConnectPacket() {}

    /** Returns a request for a new session. */
    static byte[] newSession(int timeoutMillis) {
        return request(timeoutMillis, 0, LEAST);
    }

    /**
     * Returns a request to resume a session that does not exist, in a packet of this size. A server ignores the excess
     * bytes.
     */
    static byte[] unknownSession(int bytes) {
        return request(4_000, 1, bytes);
    }

    /** Whether these bytes begin a ConnectResponse: its length, and version 0. */
    static boolean isAnswer(byte[] answer) {
        if (answer.length < 2 * Integer.BYTES) {
            return false;
        }
        ByteBuffer read = ByteBuffer.wrap(answer);
        int length = read.getInt();
        return length >= LEAST_RESPONSE && length <= MOST_RESPONSE && read.getInt() == 0;
    }

    /** Returns the granted session timeout; zero if there is no session. */
    static int timeoutMillis(byte[] answer) {
        return answer.length < ANSWER ? 0 : ByteBuffer.wrap(answer).getInt(2 * Integer.BYTES);
    }

    /** A ConnectRequest: no zxid seen, a password of zeros, not read-only. */
    private static byte[] request(int timeoutMillis, long session, int bytes) {
        return ByteBuffer.allocate(Integer.BYTES + bytes)
                .putInt(bytes)
                .putInt(0)
                .putLong(0)
                .putInt(timeoutMillis)
                .putLong(session)
                .putInt(PASSWORD)
                .array();
    }
}
