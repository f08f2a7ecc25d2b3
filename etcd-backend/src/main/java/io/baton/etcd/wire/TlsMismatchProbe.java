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
 * Finds out what is behind a port that hangs up without a word, as Go's servers do to whoever does not speak TLS, or does.
 * So do servers that are starting, or what stands before one that is gone; therefore it is asked whether it would answer
 * the other way.
 */
final class TlsMismatchProbe {

    private static final int CONNECT_MILLIS = 1_000;
    private static final int ANSWER_MILLIS = 2_000;
    private static final int TLS_ALERT = 21;
    private static final int TLS_HANDSHAKE = 22;
    // The kind of an HTTP/2 frame, and the one that comes first.
    private static final int KIND_AT = 3;
    private static final int SETTINGS = 4;
    private static final byte[] PREFACE =
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0".getBytes(StandardCharsets.US_ASCII);

    private TlsMismatchProbe() {}

    /** Asks on a thread of its own, for a few seconds at most; if it is wrong for good, the loop is told. */
    static void ask(Host host, boolean secure, Loop loop, Consumer<Diagnosis> wrong) {
        Optional<Thread> ignored = Background.start("baton-etcd-diagnosis", () -> {
            Optional<Diagnosis> found = look(host, secure);
            found.ifPresent(what -> runOnLoop(loop, () -> wrong.accept(what)));
        });
    }

    /** What is wrong with it for good; empty if that is not known. Blocks for a few seconds at most. */
    static Optional<Diagnosis> look(Host host, boolean secure) {
        return Optional.ofNullable(secure ? behindTls(host) : behindClear(host))
                .map(what -> new Diagnosis(host + what, Kind.WRONG));
    }

    private static void runOnLoop(Loop loop, Runnable task) {
        try {
            loop.execute(task);
        } catch (RejectedExecutionException closed) {
            // The coordinator has gone, and with it everybody who could care.
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

    /** How its answer to HTTP/2 in the clear begins; empty if there is none. */
    private static byte[] answer(Host host) {
        try (Socket socket = connect(host)) {
            socket.getOutputStream().write(PREFACE);
            return socket.getInputStream().readNBytes(KIND_AT + 1);
        } catch (IOException not) {
            return new byte[0];
        }
    }

    /** Whether it answers the first message of a TLS handshake in kind, if only to complain of it. */
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
