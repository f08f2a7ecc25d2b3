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
 * Finds out whether a server speaks TLS otherwise than we do. The client library only logs that, and tries again for
 * ever, so that a certificate that is not trusted looks like a server that is not there. Blocks for a few seconds at most.
 */
final class TlsMismatchProbe {

    private static final int ANSWER_MILLIS = 2_000;

    /** How long a server that wants another certificate takes to say so, once the handshake seems to be over. */
    private static final int AFTERTHOUGHT_MILLIS = 300;

    private final ServerAddress server;

    TlsMismatchProbe(ServerAddress server) {
        this.server = server;
    }

    /** What is wrong with the server for clients that use TLS; empty if that is not TLS. */
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
            // A server that is starting, or what stands before it, hangs up, too.
            return hungUp(failed) && !clear() ? Optional.empty() : Optional.of(why(failed));
        }
    }

    /**
     * Whether the server wants TLS from clients in the clear: such a server answers a handshake, if only to complain.
     * One in the clear takes it for rubbish and hangs up.
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

    /** A connection whose handshake has succeeded, on top of another one. */
    SSLSocket shakenHands(Socket socket, Tls tls) throws IOException {
        SSLSocket over = over(socket, tls.context());
        SSLParameters parameters = over.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        over.setSSLParameters(parameters);
        over.startHandshake();
        return over;
    }

    /** The innermost reason, as text. */
    static String root(Throwable thrown) {
        Throwable root = thrown;
        while (root.getCause() != null && root.getCause() != root) {
            root = root.getCause();
        }
        return root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage();
    }

    /** Whether it answers a question in the clear; a server to which that is forbidden says so, which will do. */
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

    /** For a numeric address the client library verifies the name that it is registered under, and so do we. */
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
