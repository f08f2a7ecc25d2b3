package io.baton.testkit.proxy;

import java.nio.ByteBuffer;

/**
 * Finds where the messages of a protocol begin and end, and names them, so that a proxy can strike at single messages.
 *
 * <p>{@link #lengthPrefixed} serves every protocol whose messages begin with their length. Other protocols implement
 * this interface. For HTTP/2, the first message of a connection would be its preface; frames follow, whose header holds
 * length and type.
 *
 * <p><b>Threads.</b> Only the proxy's thread calls {@link #begin} and the conversations.
 */
public interface Framing {

    /** The length of bytes that belong to no message of the protocol. */
    int NO_MESSAGE = -1;

    /** Begins a new connection. */
    Conversation begin();

    /** Both directions of one connection. An implementation may keep data of a request to name its answer. */
    interface Conversation {

        /**
         * Returns the length of the message that begins at the buffer's position.
         *
         * @param bytes the bytes received of it, perhaps with more behind; must not be changed
         * @return the length in bytes, with any prefix; 0 if more bytes are needed; {@link #NO_MESSAGE} if neither
         *     these bytes nor those after them are a message
         */
        int length(Direction direction, ByteBuffer bytes);

        /** Returns the name of a message; called once for each complete message, in order of arrival. */
        String name(Direction direction, ByteBuffer message);
    }

    /**
     * Framing of messages with a length prefix of four bytes, big-endian. Each message is named {@code message}.
     *
     * @param most the longest valid length; longer ones are no messages
     */
    static Framing lengthPrefixed(int most) {
        return new LengthPrefixed(most);
    }
}
