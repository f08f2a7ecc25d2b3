package io.baton.etcd;

import io.baton.etcd.Diagnosis.Kind;
import io.baton.etcd.EtcdAddress.Host;
import io.baton.spi.Loop;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.security.NoSuchAlgorithmException;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;

/**
 * Finds out what is behind a port that hangs up without a word, as Go's servers do to whoever does not speak TLS, or does.
 * So do servers that are starting, or what stands before one that is gone; therefore it is asked whether it would answer
 * the other way.
 */
final class HangUp {

    private static final int CONNECT_MILLIS = 1_000;
    private static final int ANSWER_MILLIS = 2_000;
    private static final byte[] PREFACE =
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0".getBytes(StandardCharsets.US_ASCII);

    private HangUp() {}

    /** Asks on a thread of its own, for a few seconds at most; if it is wrong for good, the loop is told. */
    static void ask(Host host, boolean secure, Loop loop, Consumer<Diagnosis> wrong) {
        Thread thread = new Thread(
                () -> {
                    String what = secure
                            ? " does not speak TLS: use etcd://, or the servers' TLS port"
                            : " speaks TLS only: use etcds://, or the servers' port without TLS";
                    if (secure ? clear(host) : encrypted(host)) {
                        tell(loop, () -> wrong.accept(new Diagnosis(host + what, Kind.WRONG)));
                    }
                },
                "baton-etcd-diagnosis");
        thread.setDaemon(true);
        thread.start();
    }

    private static void tell(Loop loop, Runnable task) {
        try {
            loop.execute(task);
        } catch (RejectedExecutionException closed) {
            // The coordinator has gone, and with it everybody who could care.
        }
    }

    /** Whether it answers HTTP/2 in the clear with anything at all. */
    private static boolean clear(Host host) {
        try (Socket socket = connect(host)) {
            socket.getOutputStream().write(PREFACE);
            return socket.getInputStream().read() >= 0;
        } catch (IOException not) {
            return false;
        }
    }

    /** Whether it answers a TLS handshake, if only to complain of it; trusted or not is another matter. */
    private static boolean encrypted(Host host) {
        try (Socket socket = connect(host);
                SSLSocket over = (SSLSocket) SSLContext.getDefault()
                        .getSocketFactory()
                        .createSocket(socket, host.name(), host.port(), true)) {
            over.startHandshake();
            return true;
        } catch (SSLException failed) {
            return !(failed.getCause() instanceof EOFException) && !(failed.getCause() instanceof SocketException);
        } catch (IOException | NoSuchAlgorithmException not) {
            return false;
        }
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
