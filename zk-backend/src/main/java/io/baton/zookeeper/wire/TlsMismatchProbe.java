package io.baton.zookeeper.wire;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.util.Optional;
import java.util.function.Predicate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/**
 * Finds out whether a server's TLS settings do not match the client's. The client library only logs that and retries
 * forever, so an untrusted certificate looks like a missing server. Blocks for a few seconds at most.
 */
final class TlsMismatchProbe {

    private static final int ANSWER_MILLIS = 2_000;

    /** How long a server may take to refuse the client's certificate after the handshake. */
    private static final int AFTERTHOUGHT_MILLIS = 300;

    private final ServerAddress server;

    TlsMismatchProbe(ServerAddress server) {
        this.server = server;
    }

    /** Returns what is wrong for clients that use TLS; empty if TLS works. */
    Optional<String> overTls(Tls tls) throws IOException {
        try (Socket socket = connect();
                SSLSocket over = shakenHands(socket, tls)) {
            over.setSoTimeout(AFTERTHOUGHT_MILLIS);
            int unasked = over.getInputStream().read();
            return unasked < 0
                    ? Optional.of(
                            "ends the connection after the TLS handshake; does it accept this client's certificate?")
                    : Optional.empty();
        } catch (SocketTimeoutException silent) {
            return Optional.empty();
        } catch (SSLException failed) {
            // A server that is starting, or a proxy in front of it, also hangs up.
            return hungUp(failed) && !clear() ? Optional.empty() : Optional.of(why(failed));
        }
    }

    /**
     * Whether the server requires TLS of clients in plain text. Such a server answers a handshake, if only with an
     * alert. A server in plain text rejects it and hangs up.
     */
    boolean wantsTls() throws IOException {
        try (Socket socket = connect();
                SSLSocket over = over(socket, SSLContext.getDefault())) {
            over.startHandshake();
            return true;
        } catch (SSLHandshakeException failed) {
            return !hungUp(failed);
        } catch (SocketTimeoutException | SSLException other) {
            return false;
        } catch (GeneralSecurityException withoutTls) {
            return false;
        }
    }

    /** Returns a TLS connection on this socket, with its handshake completed. */
    SSLSocket shakenHands(Socket socket, Tls tls) throws IOException {
        SSLSocket over = over(socket, tls.context());
        SSLParameters parameters = over.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        over.setSSLParameters(parameters);
        over.startHandshake();
        return over;
    }

    /** Returns the message of the innermost cause. */
    static String root(Throwable thrown) {
        Throwable root = thrown;
        while (root.getCause() != null && root.getCause() != root) {
            root = root.getCause();
        }
        return root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage();
    }

    /** Whether the server answers a request in plain text. A refusal by its whitelist counts, too. */
    private boolean clear() throws IOException {
        try (Socket socket = connect()) {
            socket.getOutputStream().write("srvr".getBytes(StandardCharsets.US_ASCII));
            return socket.getInputStream().read() >= 0;
        } catch (SocketTimeoutException silent) {
            return false;
        }
    }

    private Socket connect() throws IOException {
        Socket socket = server.connect();
        socket.setSoTimeout(ANSWER_MILLIS);
        return socket;
    }

    /** For a numeric address the client library verifies the name registered for it, and so does this probe. */
    private SSLSocket over(Socket socket, SSLContext context) throws IOException {
        String name = new InetSocketAddress(server.host(), server.port()).getHostName();
        return (SSLSocket) context.getSocketFactory().createSocket(socket, name, server.port(), true);
    }

    private static String why(SSLException failed) {
        String root = root(failed);
        if (has(failed, CertificateException.class::isInstance) && root.contains("No ")) {
            return "has a certificate for another host (" + root + "): use a name that is in it";
        } else if (has(failed, GeneralSecurityException.class::isInstance)) {
            return "has a certificate that is not trusted (" + root + "): set truststore to one that holds its"
                    + " authority";
        } else if (root.contains("fatal alert")) {
            return "refuses the TLS handshake (" + root + "): if it asks clients for a certificate, set keystore to one"
                    + " that it trusts";
        }
        return "does not speak TLS (" + root + "): use zk://, or the servers' TLS port";
    }

    private static boolean hungUp(SSLException failed) {
        return has(failed, EOFException.class::isInstance);
    }

    private static boolean has(Throwable thrown, Predicate<Throwable> kind) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (kind.test(cause)) {
                return true;
            }
        }
        return false;
    }
}
