package io.baton.testkit.etcd;

import io.baton.testkit.proxy.Direction;
import io.baton.testkit.proxy.Framing;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Finds the messages between etcd's clients and servers for the faults of a {@link io.baton.testkit.proxy.TcpProxy}. It
 * reads gRPC on HTTP/2, without TLS.
 *
 * <p>A request is named by its service and method, as in {@link LocalEtcd#requests()}: {@code Lease/LeaseGrant}. A
 * transaction's name lists each kind of operation once: {@code txn(put, read)}, or {@code txn()} if it has none. Only
 * operations for the case that its conditions hold are listed. Requests on a watch stream are {@code watch(create)},
 * {@code watch(cancel)} and {@code watch(progress)}. An answer has the name of its request, except on a watch stream.
 * There it is {@code watch(created)}, {@code watch(events)}, {@code watch(canceled)} or {@code watch(progress)}.
 *
 * <p>A message takes several frames of HTTP/2, and the frame that completes it has its name. For a unary request that
 * is the last frame; for a unary answer it is the trailers, without which a client rejects the answer. On a stream it
 * is the frame with the last byte. If a frame completes several messages, their names are joined:
 * {@code watch(created)+watch(events)}. All other frames are {@code http2}: settings, pings, windows, headers, resets
 * and the beginnings of messages.
 */
public final class EtcdFraming implements Framing {

    /** The name of frames that complete no message of etcd's. */
    public static final String NOISE = "http2";

    /** Creates the framing for a proxy in front of one server. */
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
