package io.baton.zookeeper.wire;

import io.baton.zookeeper.wire.Diagnosis.Kind;
import java.io.IOException;
import java.net.ConnectException;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;

/**
 * Finds out why a server gives no contact, on connections of its own: the client library does not report it.
 *
 * <p>It requests to resume a session that does not exist. A serving server answers regardless of its whitelist and
 * without a quorum. One that does not serve hangs up. Only then the probe sends a four-letter word. A refusal of the
 * word by the whitelist also identifies a ZooKeeper.
 */
final class ServerProbe {

    private static final int ANSWER_MILLIS = 1_500;
    private static final byte[] WORD_QUESTION = "srvr".getBytes(StandardCharsets.US_ASCII);

    /** etcd answers it, too. A ZooKeeper logs an error, so it is not sent to a known ZooKeeper. */
    private static final byte[] HTTP_QUESTION = "GET / HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private static final String FOREIGN = "does not speak ZooKeeper's protocol; is this ZooKeeper's port for clients?";

    private final ServerAddress server;
    private final Optional<Tls> tls;
    private final boolean known;

    /**
     * A probe of one server.
     *
     * @param known whether it was a ZooKeeper before; otherwise the probe also looks for other services
     */
    ServerProbe(ServerAddress server, Optional<Tls> tls, boolean known) {
        this.server = server;
        this.tls = tls;
        this.known = known;
    }

    /** Returns what is wrong with the server; empty if it serves. Blocks for some seconds at most. */
    Optional<Diagnosis> ask() {
        try {
            server.connect().close();
        } catch (IOException failed) {
            if (!wasReset(failed)) {
                return Optional.of(diagnosis(away(failed), Kind.AWAY));
            }
        }
        Optional<Diagnosis> mismatch = tls.flatMap(this::mismatch);
        return mismatch.isPresent() ? mismatch : protocol();
    }

    private Optional<Diagnosis> mismatch(Tls set) {
        try {
            return new TlsMismatchProbe(server).overTls(set).map(what -> diagnosis(what, Kind.WRONG));
        } catch (IOException unclear) {
            return Optional.empty();
        }
    }

    private static String away(IOException failed) {
        if (failed instanceof UnknownHostException) {
            return "is no host that is known here";
        }
        boolean refused = failed instanceof ConnectException
                && String.valueOf(failed.getMessage()).toLowerCase(Locale.ROOT).contains("refused");
        return refused
                ? "refuses connections; is the server running there?"
                : "cannot be reached (" + failed.getMessage() + ")";
    }

    /** Whether the server was reached and closed the connection at once. */
    private static boolean wasReset(IOException failed) {
        return failed instanceof SocketException
                && String.valueOf(failed.getMessage()).contains("reset");
    }

    private Optional<Diagnosis> protocol() {
        byte[] answer;
        try {
            answer = answer(ConnectPacket.unknownSession(ConnectPacket.LEAST), 2 * Integer.BYTES);
        } catch (SocketTimeoutException silent) {
            // A server that requires TLS would have answered by now.
            return Optional.of(
                    foreignOr("accepts connections and does not answer; is it overloaded or frozen?", Kind.AWAY));
        } catch (IOException reset) {
            answer = new byte[0];
        }
        if (answer.length == 0) {
            return Optional.of(hangsUp());
        }
        return ConnectPacket.isAnswer(answer) ? Optional.empty() : Optional.of(otherwise(FOREIGN, Kind.WRONG));
    }

    private Diagnosis hangsUp() {
        String word = text(WORD_QUESTION);
        if (word.contains("not currently serving")) {
            return diagnosis("does not serve now; is there a quorum of its ensemble?", Kind.AILING);
        } else if (word.startsWith("Zookeeper") || word.contains("not in the whitelist")) {
            return diagnosis("is a ZooKeeper that takes no session; is there a quorum of its ensemble?", Kind.AILING);
        }
        return otherwise("hangs up; is it ZooKeeper's port for clients, and is there a quorum?", Kind.HANGS_UP);
    }

    /** Returns that the server requires TLS or is not a ZooKeeper, if so; otherwise the given diagnosis. */
    private Diagnosis otherwise(String what, Kind kind) {
        return tls.isEmpty() && !known && wantsTls()
                ? diagnosis("speaks TLS only: use zks://, or the servers' port without TLS", Kind.WRONG)
                : foreignOr(what, kind);
    }

    /** Returns that the server is not a ZooKeeper, if so; otherwise the given diagnosis. */
    private Diagnosis foreignOr(String what, Kind kind) {
        return !known && text(HTTP_QUESTION).startsWith("HTTP/")
                ? diagnosis(FOREIGN, Kind.WRONG)
                : diagnosis(what, kind);
    }

    private boolean wantsTls() {
        try {
            return new TlsMismatchProbe(server).wantsTls();
        } catch (IOException unclear) {
            return false;
        }
    }

    /** Returns the beginning of the answer; empty without one. */
    private String text(byte[] question) {
        try {
            return new String(answer(question, 64), StandardCharsets.ISO_8859_1);
        } catch (IOException none) {
            return "";
        }
    }

    /** Returns the beginning of the answer. */
    byte[] answer(byte[] question, int bytes) throws IOException {
        try (Socket socket = open()) {
            socket.getOutputStream().write(question);
            return socket.getInputStream().readNBytes(bytes);
        }
    }

    /** Opens a connection as clients do, with a read timeout of {@link #ANSWER_MILLIS}. */
    Socket open() throws IOException {
        Socket plain = server.connect();
        try {
            plain.setSoTimeout(ANSWER_MILLIS);
            return tls.isPresent() ? new TlsMismatchProbe(server).shakenHands(plain, tls.get()) : plain;
        } catch (Throwable failed) {
            plain.close();
            throw failed;
        }
    }

    private Diagnosis diagnosis(String what, Kind kind) {
        return new Diagnosis(server + " " + what, kind);
    }
}
