package io.baton.testkit.zookeeper;

import io.baton.testkit.proxy.Direction;
import io.baton.testkit.proxy.Framing;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.zookeeper.MultiOperationRecord;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.server.ByteBufferInputStream;
import org.apache.zookeeper.server.Request;

/**
 * Finds the messages between ZooKeeper's clients and servers for the faults of a
 * {@link io.baton.testkit.proxy.TcpProxy}.
 *
 * <p>A request is named as in {@link LocalZooKeeper#requests()}. The name of a {@code multi} lists each kind of
 * operation once: {@code multi(check, setData)}. An answer has the name of its request. The first message of a
 * connection, and its answer, are {@code connect}; a watch's event is {@code event}.
 */
public final class ZooKeeperFraming implements Framing {

    /**
     * Larger than a server's limit, {@code jute.maxbuffer}. The four letters of an operator's command read as a still
     * larger length.
     */
    private static final int MOST = 16 << 20;

    private static final Framing LENGTHS = Framing.lengthPrefixed(MOST);

    /** Creates the framing for a proxy in front of one server. */
    public ZooKeeperFraming() {}

    @Override
    public Conversation begin() {
        return new Connection();
    }

    private static final class Connection implements Conversation {

        private static final int EVENT = -1;

        private final Conversation lengths = LENGTHS.begin();
        private final Map<Integer, String> asked = new HashMap<>();
        private boolean requested;
        private boolean answered;

        @Override
        public int length(Direction direction, ByteBuffer bytes) {
            return lengths.length(direction, bytes);
        }

        @Override
        public String name(Direction direction, ByteBuffer message) {
            message.getInt(); // the length
            return direction == Direction.TO_SERVER ? request(message) : answer(message);
        }

        private String request(ByteBuffer message) {
            if (!requested) {
                requested = true;
                return "connect";
            }
            if (message.remaining() < 2 * Integer.BYTES) {
                return "unknown";
            }
            int xid = message.getInt();
            String name = named(message.getInt(), message);
            asked.put(xid, name);
            return name;
        }

        private String answer(ByteBuffer message) {
            if (!answered) {
                answered = true;
                return "connect";
            }
            if (message.remaining() < Integer.BYTES) {
                return "unknown";
            }
            int xid = message.getInt();
            String name = xid == EVENT ? "event" : asked.remove(xid);
            return name == null ? "unknown" : name;
        }

        private static String named(int kind, ByteBuffer body) {
            return kind == OpCode.multi ? "multi" + parts(body) : Request.op2String(kind);
        }

        private static String parts(ByteBuffer body) {
            var multi = new MultiOperationRecord();
            try {
                ByteBufferInputStream.byteBuffer2Record(body, multi);
            } catch (IOException notReadable) {
                return "";
            }
            Set<String> kinds = new LinkedHashSet<>();
            for (Op op : multi) {
                kinds.add(Request.op2String(op.getType()));
            }
            return kinds.stream().collect(Collectors.joining(", ", "(", ")"));
        }
    }
}
