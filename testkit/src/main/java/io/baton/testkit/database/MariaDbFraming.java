package io.baton.testkit.database;

import io.baton.testkit.proxy.Direction;
import io.baton.testkit.proxy.Framing;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Finds the messages between MariaDB's clients and servers for the faults of a
 * {@link io.baton.testkit.proxy.TcpProxy}. It reads the protocol without TLS and compression, and statements as text:
 * from the first statement on that is prepared on the server, bytes pass without a name.
 *
 * <p>A command is one message. It is named by its statements, each kind once, with the first table of each: {@code
 * query(insert stock, commit)}. Others are {@code ping}, {@code use}, {@code reset} and {@code quit}. What
 * a server says first is {@code greeting}, the answer of a client is {@code login}, as is the server's last word on that;
 * what they say between those is {@code authentication}.
 *
 * <p>An answer takes several packets. The one that completes it, behind the results of all statements, has the name of
 * the command; without it, a client rejects the answer. The first of several has that name with {@link #BEGINS} behind
 * it. So a cut before the first loses the answer, and one before the last cuts it in the middle. Those in between are
 * {@link #NOISE}.
 */
public final class MariaDbFraming implements Framing {

    /** The name of what no test counts. */
    public static final String NOISE = PostgresFraming.NOISE;

    /** Behind the name of an answer's first packet. */
    public static final String BEGINS = PostgresFraming.BEGINS;

    /** Creates the framing for a proxy in front of one server. */
    public MariaDbFraming() {}

    @Override
    public Conversation begin() {
        return new Connection();
    }

    private static final class Connection implements Conversation {

        private static final int COMPRESSION = 1 << 5;
        private static final int TLS = 1 << 11;
        private static final int NO_EOF = 1 << 24;

        private static final StatementKinds KINDS = new StatementKinds(true);

        private final Deque<String> asked = new ArrayDeque<>();
        private MariaDbAnswer answer = new MariaDbAnswer(false);
        private boolean greeted;
        private boolean presented;
        private boolean welcome;
        private boolean answering;
        private boolean strange;

        /** A packet that is as long as it can be goes on in the next one. */
        @Override
        public int length(Direction direction, ByteBuffer bytes) {
            int length = 0;
            int payload = MariaDbAnswer.LONGEST;
            while (payload == MariaDbAnswer.LONGEST && !strange) {
                if (bytes.remaining() < length + MariaDbAnswer.HEADER) {
                    return 0;
                }
                payload = Integer.reverseBytes(bytes.getInt(bytes.position() + length)) & MariaDbAnswer.LONGEST;
                length += MariaDbAnswer.HEADER + payload;
            }
            return strange ? NO_MESSAGE : length;
        }

        @Override
        public String name(Direction direction, ByteBuffer message) {
            ByteBuffer payload = message.position(message.position() + MariaDbAnswer.HEADER);
            return direction == Direction.TO_SERVER ? request(payload) : answer(payload);
        }

        private String request(ByteBuffer payload) {
            if (!presented) {
                presented = true;
                int abilities = Integer.reverseBytes(payload.getInt(payload.position()));
                answer = new MariaDbAnswer((abilities & NO_EOF) != 0);
                strange = (abilities & (TLS | COMPRESSION)) != 0;
                return "login";
            }
            if (!welcome) {
                return "authentication";
            }
            String name = switch (payload.get()) {
                case 0x01 -> "quit";
                case 0x02 -> "use";
                case 0x03 -> "query(" + String.join(", ", KINDS.in(text(payload))) + ")";
                case 0x0e -> "ping";
                case 0x1f -> "reset";
                default -> NOISE;
            };
            strange = name.equals(NOISE);
            if (!name.equals("quit")) {
                asked.add(name);
            }
            return name;
        }

        private String answer(ByteBuffer payload) {
            if (!greeted) {
                greeted = true;
                return "greeting";
            }
            if (!welcome) {
                welcome = MariaDbAnswer.isVerdict(payload);
                return welcome ? "login" : "authentication";
            }
            String name = asked.peek();
            if (name == null) {
                return NOISE; // the server ends the connection
            }
            if (answer.completes(payload)) {
                answering = false;
                return asked.remove();
            }
            boolean first = !answering;
            answering = true;
            return first ? name + BEGINS : NOISE;
        }

        /** Only its letters count. */
        private static String text(ByteBuffer from) {
            return StandardCharsets.ISO_8859_1.decode(from).toString();
        }
    }
}
