package io.baton.testkit.etcd;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersDecoder;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/** The calls of one connection, each on its own stream; names the frames that complete a message. */
final class EtcdCalls {

    /**
     * Clients compress repeated headers. Each request's headers must be decoded to understand those of the next one.
     */
    private final Http2HeadersDecoder headers = new DefaultHttp2HeadersDecoder(false);

    private final Map<Integer, EtcdCall> calls = new HashMap<>();
    private final ByteArrayOutputStream begun = new ByteArrayOutputStream();

    /** The name of the message that this frame to the server completes; empty if it completes none. */
    String request(Http2Frame frame) {
        return switch (frame.type()) {
            case Http2Frame.HEADERS, Http2Frame.CONTINUATION -> requestHeaders(frame);
            case Http2Frame.DATA -> {
                EtcdCall call = calls.get(frame.stream());
                yield call == null ? "" : call.request(frame.payload(), frame.endsStream());
            }
            case Http2Frame.RST_STREAM -> forget(frame);
            default -> "";
        };
    }

    /** The name of the message that this frame to the client completes; empty if it completes none. */
    String answer(Http2Frame frame) {
        EtcdCall call = calls.get(frame.stream());
        if (call == null) {
            return "";
        }
        String name = switch (frame.type()) {
            case Http2Frame.HEADERS -> frame.endsStream() ? call.trailers() : "";
            case Http2Frame.DATA -> call.answer(frame.payload());
            default -> "";
        };
        if (frame.endsStream() || frame.type() == Http2Frame.RST_STREAM) {
            forget(frame);
        }
        return name;
    }

    private String requestHeaders(Http2Frame frame) {
        byte[] block = bytes(frame.payload());
        begun.write(block, 0, block.length);
        if (frame.endsHeaders()) {
            calls.put(frame.stream(), new EtcdCall(path(frame.stream())));
        }
        return "";
    }

    private String path(int stream) {
        try {
            Http2Headers read = headers.decodeHeaders(stream, Unpooled.wrappedBuffer(begun.toByteArray()));
            CharSequence path = read.path();
            return path == null ? "" : path.toString();
        } catch (Http2Exception notReadable) {
            return "";
        } finally {
            begun.reset();
        }
    }

    private String forget(Http2Frame frame) {
        calls.remove(frame.stream());
        return "";
    }

    private static byte[] bytes(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        return bytes;
    }
}
