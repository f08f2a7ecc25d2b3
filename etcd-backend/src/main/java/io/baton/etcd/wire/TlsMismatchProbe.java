package io.baton.etcd.wire;

import io.baton.etcd.wire.Diagnosis.Kind;
import io.baton.etcd.wire.EtcdAddress.Host;
import io.baton.spi.Loop;
import io.baton.spi.support.Background;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Finds out which protocol a port speaks that hangs up without an answer. Go's servers do so on a TLS mismatch, in
 * either direction. So do servers that are starting, and proxies for a missing one. So it checks whether the port
 * answers the other way.
 */
final class TlsMismatchProbe {

    private static final int CONNECT_MILLIS = 1_000;
    private static final int ANSWER_MILLIS = 2_000;
    private static final int TLS_ALERT = 21;
    private static final int TLS_HANDSHAKE = 22;
    // The offset of an HTTP/2 frame's type, and the type of the first frame.
    private static final int KIND_AT = 3;
    private static final int SETTINGS = 4;
    private static final byte[] PREFACE =
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0".getBytes(StandardCharsets.US_ASCII);

    private TlsMismatchProbe() {}

    /**
     * Probes on a thread of its own, for a few seconds at most. Calls {@code wrong} on the loop if the configuration is
     * wrong.
     */
    static void ask(Host host, boolean secure, Loop loop, Consumer<Diagnosis> wrong) {
        Optional<Thread> ignored = Background.start("baton-etcd-diagnosis", () -> {
            Optional<Diagnosis> found = look(host, secure);
            found.ifPresent(what -> runOnLoop(loop, () -> wrong.accept(what)));
        });
    }

    /** Returns what is wrong with the configuration; empty if unknown. Blocks for a few seconds at most. */
    static Optional<Diagnosis> look(Host host, boolean secure) {
        return Optional.ofNullable(secure ? behindTls(host) : behindClear(host))
                .map(what -> new Diagnosis(host + what, Kind.WRONG));
    }

    private static void runOnLoop(Loop loop, Runnable task) {
        try {
            loop.execute(task);
        } catch (RejectedExecutionException closed) {
            // The coordinator has been closed, so the result has no use.
        }
    }

    private static @Nullable String behindTls(Host host) {
        return answer(host).length > 0 ? " does not speak TLS: use etcd://, or the servers' TLS port" : null;
    }

    private static @Nullable String behindClear(Host host) {
        if (encrypted(host)) {
            return " speaks TLS only: use etcds://, or the servers' port without TLS";
        }
        byte[] answer = answer(host);
        return answer.length > KIND_AT && answer[KIND_AT] != SETTINGS
                ? " does not speak etcd's protocol; is this etcd's port for clients?"
                : null;
    }

    /** Returns the beginning of the answer to HTTP/2 in plain text; empty without one. */
    private static byte[] answer(Host host) {
        try (Socket socket = connect(host)) {
            socket.getOutputStream().write(PREFACE);
            return socket.getInputStream().readNBytes(KIND_AT + 1);
        } catch (IOException not) {
            return new byte[0];
        }
    }

    /** Whether the port answers the first message of a TLS handshake with TLS, if only with an alert. */
    private static boolean encrypted(Host host) {
        try (Socket socket = connect(host)) {
            socket.getOutputStream().write(hello());
            int kind = socket.getInputStream().read();
            return kind == TLS_HANDSHAKE || kind == TLS_ALERT;
        } catch (IOException | NoSuchAlgorithmException not) {
            return false;
        }
    }

    /** The first message of a TLS handshake. */
    private static byte[] hello() throws SSLException, NoSuchAlgorithmException {
        SSLEngine engine = SSLContext.getDefault().createSSLEngine();
        engine.setUseClientMode(true);
        var hello = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
        engine.wrap(ByteBuffer.allocate(0), hello);
        return Arrays.copyOf(hello.array(), hello.position());
    }

    private static Socket connect(Host host) throws IOException {
        var socket = new Socket();
        try {
            socket.connect(new InetSocketAddress(host.name(), host.port()), CONNECT_MILLIS);
            socket.setSoTimeout(ANSWER_MILLIS);
            return socket;
        } catch (IOException failed) {
            socket.close();
            throw failed;
        }
    }
}
