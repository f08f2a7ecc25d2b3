package io.baton.testkit.proxy;

import java.nio.ByteBuffer;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Splits one direction of a connection into messages; keeps an incomplete message until the rest arrives. Bytes that
 * are no message pass without a name, as does everything after them.
 */
final class Splitter {

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final Direction direction;
    private final Framing.@Nullable Conversation conversation;
    private final BiConsumer<ByteBuffer, @Nullable String> to;
    private ByteBuffer begun = NOTHING;
    private boolean strange;

    Splitter(
            Direction direction,
            Framing.@Nullable Conversation conversation,
            BiConsumer<ByteBuffer, @Nullable String> to) {
        this.direction = direction;
        this.conversation = conversation;
        this.to = to;
    }

    /** Copies the bytes, and emits the messages that they complete. */
    void add(ByteBuffer bytes) {
        ByteBuffer all = ByteBuffer.allocate(begun.remaining() + bytes.remaining());
        all.put(begun).put(bytes).flip();
        begun = NOTHING;
        if (conversation == null || strange) {
            to.accept(all, null);
            return;
        }
        int length = conversation.length(direction, all);
        while (length > 0 && length <= all.remaining()) {
            ByteBuffer message = all.slice(all.position(), length);
            all.position(all.position() + length);
            to.accept(message, conversation.name(direction, message.duplicate()));
            length = conversation.length(direction, all);
        }
        begun = all;
        if (length == Framing.NO_MESSAGE) {
            strange = true;
            rest();
        }
    }

    /** Emits an incomplete message whose rest will not come. */
    void rest() {
        if (begun.hasRemaining()) {
            to.accept(begun, null);
            begun = NOTHING;
        }
    }
}
