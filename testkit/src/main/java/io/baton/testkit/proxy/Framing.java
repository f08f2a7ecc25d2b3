package io.baton.testkit.proxy;

import java.nio.ByteBuffer;

/**
 * Where messages begin and end in the bytes of a protocol, and what they are called, so that a proxy can strike at
 * messages.
 *
 * <p>{@link #lengthPrefixed} serves every protocol whose messages begin with their length. Others implement it; HTTP/2
 * would take its preface as the first message of a connection, and then frames, whose header tells length and type.
 *
 * <p><b>Threads.</b> {@link #begin} and the conversations are called by the proxy's thread only.
 */
public interface Framing {

    /** What is told of bytes that belong to no message of the protocol. */
    int NO_MESSAGE = -1;

    /** A new connection begins. */
    Conversation begin();

    /** Both directions of one connection; what it has learned from a request may help it to name the answer. */
    interface Conversation {

        /**
         * How long the message is that begins at the buffer's position.
         *
         * @param bytes what there is of it, perhaps with more behind; to be left as it is
         * @return bytes, with whatever stands in front to tell the length; 0 if there is not enough yet to say;
         *     {@link #NO_MESSAGE} if neither this nor what follows is a message
         */
        int length(Direction direction, ByteBuffer bytes);

        /** What to call a message, all of it in the buffer; called once for each, in the order of their coming. */
        String name(Direction direction, ByteBuffer message);
    }

    /**
     * Messages of four bytes that tell a length, highest first, and then as many bytes; each is called {@code message}.
     *
     * @param most the longest length believed; longer ones are no messages
     */
    static Framing lengthPrefixed(int most) {
        return new LengthPrefixed(most);
    }
}
