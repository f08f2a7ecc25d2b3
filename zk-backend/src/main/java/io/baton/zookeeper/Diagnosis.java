package io.baton.zookeeper;

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
import org.apache.zookeeper.client.ConnectStringParser;

/**
 * Finds out why there is no contact where TLS is the reason. The client library keeps that to itself: it logs, and tries
 * again for ever, so that a certificate that is not trusted looks like a server that is not there. So the servers are
 * asked once more, with a handshake of our own. Blocks for a few seconds at most per server.
 */
final class Diagnosis {

    private static final int CONNECT_MILLIS = 1_000;
    private static final int ANSWER_MILLIS = 2_000;

    /** How long a server that wants another certificate takes to say so, once the handshake seems to be over. */
    private static final int AFTERTHOUGHT_MILLIS = 300;

    private Diagnosis() {}

    /** What is wrong with all servers that can be reached at all; empty if that is not TLS. */
    static Optional<String> of(ZkAddress address, Optional<Tls> tls) {
        Optional<String> wrong = Optional.empty();
        for (InetSocketAddress given : new ConnectStringParser(address.hosts()).getServerAddresses()) {
            var server = new InetSocketAddress(given.getHostString(), given.getPort());
            try (Socket socket = new Socket()) {
                socket.connect(server, CONNECT_MILLIS);
                socket.setSoTimeout(ANSWER_MILLIS);
                String name = given.getHostString() + ":" + given.getPort();
                Optional<String> now = tls.isPresent()
                        ? handshake(socket, server, tls.get()).map(what -> name + what)
                        : encrypted(socket, server).map(what -> name + what);
                if (now.isEmpty()) {
                    return now;
                }
                wrong = now;
            } catch (IOException notThere) {
                // Cannot be reached, which is another matter.
            }
        }
        return wrong;
    }

    /** The innermost reason, as text. */
    static String root(Throwable thrown) {
        Throwable root = thrown;
        while (root.getCause() != null && root.getCause() != root) {
            root = root.getCause();
        }
        return root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage();
    }

    private static Optional<String> handshake(Socket socket, InetSocketAddress server, Tls tls) throws IOException {
        try (SSLSocket over = over(socket, server, tls.context())) {
            SSLParameters parameters = over.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            over.setSSLParameters(parameters);
            over.startHandshake();
            over.setSoTimeout(AFTERTHOUGHT_MILLIS);
            int unasked = over.getInputStream().read();
            return unasked < 0
                    ? Optional.of(
                            " ends the connection after the TLS handshake; does it accept this client's certificate?")
                    : Optional.empty();
        } catch (SocketTimeoutException silent) {
            return Optional.empty();
        } catch (SSLException failed) {
            // A server that is starting, or what stands before it, hangs up, too.
            return hungUp(failed) && !clear(server) ? Optional.empty() : Optional.of(why(failed));
        }
    }

    /** Whether it answers a question in the clear; a server to which that is forbidden says so, which will do. */
    private static boolean clear(InetSocketAddress server) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(server, CONNECT_MILLIS);
            socket.setSoTimeout(ANSWER_MILLIS);
            socket.getOutputStream().write("srvr".getBytes(StandardCharsets.US_ASCII));
            return socket.getInputStream().read() >= 0;
        } catch (SocketTimeoutException silent) {
            return false;
        }
    }

    /** A server in the clear takes a handshake for rubbish and hangs up; one with TLS answers, if only to complain. */
    private static Optional<String> encrypted(Socket socket, InetSocketAddress server) throws IOException {
        try (SSLSocket over = over(socket, server, SSLContext.getDefault())) {
            over.startHandshake();
        } catch (SSLHandshakeException failed) {
            if (hungUp(failed)) {
                return Optional.empty();
            }
        } catch (SocketTimeoutException | SSLException other) {
            return Optional.empty();
        } catch (GeneralSecurityException withoutTls) {
            return Optional.empty();
        }
        return Optional.of(" speaks TLS only: use zks://, or the servers' port without TLS");
    }

    /** For a numeric address the client library verifies the name that it is registered under, and so do we. */
    private static SSLSocket over(Socket socket, InetSocketAddress server, SSLContext context) throws IOException {
        return (SSLSocket)
                context.getSocketFactory().createSocket(socket, server.getHostName(), server.getPort(), true);
    }

    private static String why(SSLException failed) {
        String root = root(failed);
        if (has(failed, CertificateException.class::isInstance) && root.contains("No ")) {
            return " has a certificate for another host (" + root + "): use a name that is in it";
        } else if (has(failed, GeneralSecurityException.class::isInstance)) {
            return " has a certificate that is not trusted (" + root + "): set truststore to one that holds its"
                    + " authority";
        } else if (root.contains("fatal alert")) {
            return " refuses the TLS handshake (" + root
                    + "): if it asks clients for a certificate, set keystore to one" + " that it trusts";
        }
        return " does not speak TLS (" + root + "): use zk://, or the servers' TLS port";
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
