package io.baton.testkit.etcd;

import io.baton.testkit.proxy.Direction;
import io.baton.testkit.proxy.Framing;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The messages between etcd's clients and servers, for the faults of a {@link io.baton.testkit.proxy.TcpProxy}: gRPC on
 * HTTP/2, without TLS.
 *
 * <p>A request is called by its service and method, as in {@link LocalEtcd#requests()}: {@code Lease/LeaseGrant}. But a
 * transaction tells what it does if its conditions hold, each kind once: {@code txn(put, read)}, and {@code txn()} if that
 * is nothing. On the stream of watches it is {@code watch(create)}, {@code watch(cancel)}, {@code watch(progress)}. An
 * answer has the name of its request, but that of a watch is {@code watch(created)}, {@code watch(events)}, {@code
 * watch(canceled)} or {@code watch(progress)}.
 *
 * <p>A message takes several frames of HTTP/2. The one that completes it has its name: of a unary call's request the
 * last one; of its answer the trailers, without which a client does not believe the answer; on a stream the one with
 * the last byte. If that one completes several, their names stand in a row: {@code watch(created)+watch(events)}. All
 * other frames are {@code http2}: settings, pings, windows, headers, resets and the beginnings of messages.
 */
public final class EtcdFraming implements Framing {

    /** What is called so is no message of etcd's. */
    public static final String NOISE = "http2";

    /** For a proxy in front of one server. */
    public EtcdFraming() {}

    @Override
    public Conversation begin() {
        return new Connection();
    }

    private static final class Connection implements Conversation {

        private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

        private final EtcdCalls calls = new EtcdCalls();
        private boolean begun;
        private boolean strange;

        @Override
        public int length(Direction direction, ByteBuffer bytes) {
            if (direction == Direction.TO_SERVER && !begun) {
                return preface(bytes);
            }
            if (strange) {
                return NO_MESSAGE;
            }
            return bytes.remaining() < Http2Frame.HEADER ? 0 : Http2Frame.length(bytes);
        }

        @Override
        public String name(Direction direction, ByteBuffer message) {
            if (direction == Direction.TO_SERVER && !begun) {
                begun = true;
                return NOISE;
            }
            Http2Frame frame = Http2Frame.read(message);
            String name = direction == Direction.TO_SERVER ? calls.request(frame) : calls.answer(frame);
            return name.isEmpty() ? NOISE : name;
        }

        private int preface(ByteBuffer bytes) {
            byte[] there = new byte[Math.min(PREFACE.length, bytes.remaining())];
            bytes.duplicate().get(there);
            strange = !Arrays.equals(there, Arrays.copyOf(PREFACE, there.length));
            if (strange) {
                return NO_MESSAGE;
            }
            return there.length < PREFACE.length ? 0 : PREFACE.length;
        }
    }
}
