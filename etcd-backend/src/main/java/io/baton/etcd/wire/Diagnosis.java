package io.baton.etcd.wire;

import io.baton.etcd.wire.EtcdAddress.Host;
import io.grpc.Status;
import io.netty.handler.ssl.NotSslRecordException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Why an attempt with a member failed.
 *
 * @param text the member, and what is wrong with it
 * @param kind whether it may recover by itself
 */
public record Diagnosis(String text, Kind kind) {

    /** The prospects of a member with a failed attempt. */
    public enum Kind {
        /** Could not be reached, or did not answer. */
        AWAY,
        /** Closes connections without an answer, which can have several reasons. */
        HANGS_UP,
        /** Answers as an etcd does, but has a problem. */
        AILING,
        /** The configuration must change: it is not an etcd, or its TLS settings do not match. */
        WRONG
    }

    /** The first bytes of a TLS alert, as the HTTP/2 codec reports unreadable input. */
    private static final String TLS_ALERT = "first 5 bytes: 1503";

    private static final List<String> HANGING_UP =
            List.of("Network closed", "TLS negotiation", "protocol negotiation", "reset by peer");

    static Diagnosis of(Host host, Status status, boolean secure) {
        Optional<LinkageError> misfit = cause(status, LinkageError.class);
        if (misfit.isPresent()) {
            return new Diagnosis(host + " cannot be asked: " + LibraryVersions.misfit(misfit.get()), Kind.WRONG);
        }
        String wrong = wrong(status, secure);
        if (wrong != null) {
            return new Diagnosis(host + " " + wrong, Kind.WRONG);
        }
        String said = ErrorClassifier.text(status);
        if (said.startsWith("etcdserver:")) {
            return new Diagnosis(host + " says " + said, Kind.AILING);
        }
        if (HANGING_UP.stream().anyMatch(sign -> (said + status.getCause()).contains(sign))
                || cause(status, SSLException.class).isPresent()) {
            return new Diagnosis(host + " hangs up; is it etcd's port for clients?", Kind.HANGS_UP);
        }
        return new Diagnosis(host + " " + away(status, said), Kind.AWAY);
    }

    private static String away(Status status, String said) {
        if (cause(status, UnknownHostException.class).isPresent()) {
            return "is no host that is known here";
        }
        Optional<ConnectException> connect = cause(status, ConnectException.class);
        if (connect.isPresent()) {
            String why = String.valueOf(connect.get().getMessage()).toLowerCase(Locale.ROOT);
            return why.contains("refused")
                    ? "refuses connections; is the server running there?"
                    : "cannot be reached (" + connect.get().getMessage() + ")";
        }
        if (status.getCode() == Status.Code.DEADLINE_EXCEEDED) {
            return "does not answer (" + said + ")";
        }
        Throwable cause = status.getCause();
        return "cannot be used (" + said + (cause == null ? "" : ": " + root(cause)) + ")";
    }

    private static @Nullable String wrong(Status status, boolean secure) {
        String root = status.getCause() == null ? ErrorClassifier.text(status) : root(status.getCause());
        if (secure) {
            return cause(status, SSLException.class)
                    .map(failed -> tls(failed, root))
                    .orElse(null);
        }
        if (root.contains(TLS_ALERT)) {
            return "speaks TLS only: use etcds://, or the servers' port without TLS";
        }
        return root.contains("First received frame was not SETTINGS") || status.getCode() == Status.Code.UNIMPLEMENTED
                ? "does not speak etcd's protocol; is this etcd's port for clients?"
                : null;
    }

    private static @Nullable String tls(SSLException failed, String root) {
        if (root.startsWith("No subject alternative") || root.startsWith("No name matching")) {
            return "has a certificate for another host (" + root + "): use a name that is in it";
        } else if (has(failed, GeneralSecurityException.class)) {
            return "has a certificate that is not trusted (" + root + "): set truststore to one that holds its"
                    + " authority";
        } else if (root.contains("alert")) {
            return "refuses the TLS handshake (" + root + "): if it asks clients for a certificate, set keystore to"
                    + " one that it trusts";
        }
        // A server that hangs up during the handshake may still speak TLS.
        return failed instanceof NotSslRecordException
                ? "does not speak TLS (" + root + "): use etcd://, or the servers' TLS port"
                : null;
    }

    private static boolean has(Throwable thrown, Class<?> kind) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (kind.isInstance(cause)) {
                return true;
            }
        }
        return false;
    }

    /** Returns the outermost cause of this kind. */
    static <T extends Throwable> Optional<T> cause(Status status, Class<T> kind) {
        for (Throwable cause = status.getCause(); cause != null; cause = cause.getCause()) {
            if (kind.isInstance(cause)) {
                return Optional.of(kind.cast(cause));
            }
        }
        return Optional.empty();
    }

    /** Returns the message of the innermost cause. */
    private static String root(Throwable thrown) {
        Throwable root = thrown;
        while (root.getCause() != null && root.getCause() != root) {
            root = root.getCause();
        }
        return root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage();
    }
}
