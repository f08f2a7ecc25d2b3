package io.baton.testkit.database;

import io.baton.testkit.proxy.Direction;
import io.baton.testkit.proxy.Framing;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Finds the messages between PostgreSQL's clients and servers for the faults of a
 * {@link io.baton.testkit.proxy.TcpProxy}. It reads version 3 of the protocol, without TLS.
 *
 * <p>What a client sends in one go is one message here: all until it asks for the answers ({@code Sync}), or a simple
 * query. So a cut before it loses all of its statements, as nothing of it has arrived. It is named by its statements,
 * each kind once, with the first table of each: {@code query(begin, insert stock, commit)}. Without statements it is
 * {@code query()}. The first message of a connection is {@code login}; what a client sends to prove who it is, and what
 * the server asks for that, are {@code authentication}.
 *
 * <p>An answer takes several of the protocol's messages. The one that completes it, {@code ReadyForQuery}, has the name
 * of the request; without it, a client rejects the answer. The first one has that name with {@link #BEGINS} behind it. So
 * a cut before the first loses the answer, and one before the last cuts it in the middle. Those in between are {@link
 * #NOISE}, as are requests for encryption, notices and changed parameters. A push to those that listen is {@code
 * notification}.
 */
public final class PostgresFraming implements Framing {

    /** The name of what no test counts. */
    public static final String NOISE = "noise";

    /** Behind the name of an answer's first message. */
    public static final String BEGINS = " begins";

    /** Creates the framing for a proxy in front of one server. */
    public PostgresFraming() {}

    @Override
    public Conversation begin() {
        return new Connection();
    }

    private static final class Connection implements Conversation {

        private static final int VERSION_3 = 3;
        private static final int CANCEL = 80877102;
        private static final int TLS = 80877103;
        private static final int GSS = 80877104;

        /** The protocol's own limit of what has no type. */
        private static final int MOST_WITHOUT_TYPE = 10_000;

        private static final int MOST = 64 << 20;

        /** A type and a length. */
        private static final int HEADER = 1 + Integer.BYTES;

        /** Types that end what a client sends in one go. */
        private static final String ENDS = "SQFHXpdcf";

        private static final int PROVEN = 0;
        private static final int LAST_OF_SASL = 12;

        private static final StatementKinds KINDS = new StatementKinds(false);

        private final Map<String, Set<String>> prepared = new HashMap<>();
        private final Set<String> kinds = new LinkedHashSet<>();
        private final Deque<String> asked = new ArrayDeque<>();
        private boolean begun;
        private boolean asksForSecrecy;
        private boolean answering;
        private boolean strange;

        @Override
        public int length(Direction direction, ByteBuffer bytes) {
            if (strange) {
                return NO_MESSAGE;
            }
            if (direction == Direction.TO_CLIENT) {
                return asksForSecrecy ? Math.min(1, bytes.remaining()) : typed(bytes, bytes.position());
            }
            return begun ? atOnce(bytes) : withoutType(bytes);
        }

        private int withoutType(ByteBuffer bytes) {
            if (bytes.remaining() < 2 * Integer.BYTES) {
                return 0;
            }
            int length = bytes.getInt(bytes.position());
            int code = bytes.getInt(bytes.position() + Integer.BYTES);
            boolean known = code >> 16 == VERSION_3 || (code >= CANCEL && code <= GSS);
            strange = !known || length < 2 * Integer.BYTES || length > MOST_WITHOUT_TYPE;
            return strange ? NO_MESSAGE : length;
        }

        private int atOnce(ByteBuffer bytes) {
            int length = 0;
            while (true) {
                int next = typed(bytes, bytes.position() + length);
                if (next <= 0) {
                    return next;
                }
                char type = (char) bytes.get(bytes.position() + length);
                length += next;
                if (ENDS.indexOf(type) >= 0) {
                    return length;
                }
            }
        }

        private int typed(ByteBuffer bytes, int at) {
            if (bytes.limit() - at < HEADER) {
                return 0;
            }
            int length = bytes.getInt(at + 1);
            strange = length < Integer.BYTES || length > MOST;
            return strange ? NO_MESSAGE : 1 + length;
        }

        @Override
        public String name(Direction direction, ByteBuffer message) {
            if (direction == Direction.TO_CLIENT) {
                return answer(message);
            }
            return begun ? request(message) : first(message.getInt(message.position() + Integer.BYTES));
        }

        private String first(int code) {
            if (code == TLS || code == GSS) {
                asksForSecrecy = true;
                return NOISE;
            }
            if (code == CANCEL) {
                return "cancel";
            }
            begun = true;
            asked.add("login");
            return "login";
        }

        private String request(ByteBuffer messages) {
            char type = 0;
            while (messages.hasRemaining()) {
                type = (char) messages.get();
                ByteBuffer body = messages.slice(
                        messages.position() + Integer.BYTES, messages.getInt(messages.position()) - Integer.BYTES);
                messages.position(messages.position() + Integer.BYTES + body.remaining());
                read(type, body);
            }
            return switch (type) {
                case 'S', 'Q' -> {
                    String name = "query(" + String.join(", ", kinds) + ")";
                    kinds.clear();
                    asked.add(name);
                    yield name;
                }
                case 'F' -> {
                    asked.add("function");
                    yield "function";
                }
                case 'p' -> "authentication";
                case 'X' -> "terminate";
                default -> NOISE;
            };
        }

        private void read(char type, ByteBuffer body) {
            switch (type) {
                case 'P' -> prepared.put(text(body), KINDS.in(text(body)));
                case 'B' -> {
                    body.position(end(body) + 1); // the portal
                    kinds.addAll(prepared.getOrDefault(text(body), Set.of()));
                }
                case 'Q' -> kinds.addAll(KINDS.in(text(body)));
                default -> {}
            }
        }

        private String answer(ByteBuffer message) {
            char type = (char) message.get();
            if (asksForSecrecy) {
                asksForSecrecy = false;
                strange = type != 'N';
                return NOISE;
            }
            if (type == 'R' && isQuestion(message.getInt(message.position() + Integer.BYTES))) {
                return "authentication";
            }
            String name = asked.peek();
            if (type == 'A') {
                return "notification";
            } else if (name == null || type == 'N' || type == 'S') {
                return NOISE;
            } else if (type == 'Z') {
                answering = false;
                return asked.remove();
            } else if (!answering) {
                answering = true;
                return name + BEGINS;
            }
            return NOISE;
        }

        private static boolean isQuestion(int authentication) {
            return authentication != PROVEN && authentication != LAST_OF_SASL;
        }

        /** Reads a text that ends with a zero. */
        private static String text(ByteBuffer from) {
            byte[] bytes = new byte[end(from) - from.position()];
            from.get(bytes);
            from.get();
            return new String(bytes, StandardCharsets.UTF_8);
        }

        private static int end(ByteBuffer text) {
            int end = text.position();
            while (text.get(end) != 0) {
                end++;
            }
            return end;
        }
    }
}
