package io.baton.testkit.database;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.testkit.proxy.Direction;
import io.baton.testkit.proxy.Framing;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** A conversation whose bytes arrive in pieces. */
final class Pieces {

    static final String NO_MESSAGE = "no message";

    private final Framing.Conversation conversation;
    private final int size;

    Pieces(Framing framing, int size) {
        this.conversation = framing.begin();
        this.size = size;
    }

    List<String> asked(byte[] messages) {
        return names(Direction.TO_SERVER, messages);
    }

    List<String> answered(byte[] messages) {
        return names(Direction.TO_CLIENT, messages);
    }

    /** The names of whole messages, or that they are none. */
    private List<String> names(Direction direction, byte[] messages) {
        List<String> names = new ArrayList<>();
        int from = 0;
        for (int to = Math.min(size, messages.length);
                from < messages.length;
                to = Math.min(to + size, messages.length)) {
            ByteBuffer there = ByteBuffer.wrap(messages, from, to - from).slice();
            int length = conversation.length(direction, there);
            while (length > 0 && length <= there.remaining()) {
                names.add(conversation.name(direction, there.slice(there.position(), length)));
                there.position(there.position() + length);
                length = conversation.length(direction, there);
            }
            if (length == Framing.NO_MESSAGE) {
                names.add(NO_MESSAGE);
                return names;
            }
            from = to - there.remaining();
            assertThat(to < messages.length || from == messages.length)
                    .as("all is named: %s", names)
                    .isTrue();
        }
        return names;
    }
}
