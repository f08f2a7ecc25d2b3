package io.baton.etcd.wire;

import com.google.protobuf.ByteString;
import io.baton.CoordinationException;
import io.baton.Secret;
import io.baton.spi.Loop;
import io.baton.spi.support.Pauses;
import io.etcd.jetcd.api.AuthGrpc;
import io.etcd.jetcd.api.AuthenticateRequest;
import io.grpc.Metadata;
import io.grpc.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A wire's user and its current token. A token is valid for every member. It ends when it has not been used for a
 * while, or when the users' permissions change. The server then refuses the request without applying it, and the wire
 * obtains a new token.
 *
 * <p>The first token, too, is obtained only after a refusal, so a cluster without authentication never receives the
 * user. On a cluster that requires client certificates, a client without a token is the user of its certificate,
 * perhaps not the configured one.
 */
public final class Login {

    /** A user and its password, which is read again for each token. */
    public record User(String name, Secret password) {}

    private static final Metadata.Key<String> TOKEN = Metadata.Key.of("token", Metadata.ASCII_STRING_MARSHALLER);

    static final String NOBODY = "etcdserver: user name is empty";

    private static final Set<String> STALE =
            Set.of(NOBODY, "etcdserver: invalid auth token", "etcdserver: revision of auth store is old");

    /** The refusal of a request without a token, made as the certificate's user. */
    private static final String DENIED = "etcdserver: permission denied";

    /** How the message begins when the servers reject the user or its password. */
    static final String REFUSES = "etcd refuses the user '";

    private static final Set<String> REFUSED =
            Set.of("etcdserver: authentication failed, invalid user ID or password", "etcdserver: user name not found");

    private final Optional<User> user;
    private final Predicate<CoordinationException> refused;
    private final List<Consumer<Status>> waiting = new ArrayList<>();
    private @Nullable String token;
    // Checking a password is slow on a server, so the same wrong one is not sent in quick succession.
    private @Nullable String refusedPassword;
    private int refusals;
    private long askAgain;

    /**
     * {@code refused} is called if the servers reject the user or its password, or if the password is unreadable. It
     * returns true to stop: no waiting request is answered, as the caller ends the wire. With false, the waiting
     * requests fail as unavailable, and the connection is given up.
     */
    Login(Optional<User> user, Predicate<CoordinationException> refused) {
        this.user = user;
        this.refused = refused;
    }

    void sign(Metadata headers) {
        if (token != null) {
            headers.put(TOKEN, token);
        }
    }

    /** Returns the current token; null without one. Used to compare with a later one. */
    @Nullable
    String token() {
        return token;
    }

    /** Whether a request that was sent with this token, and refused with this message, may succeed with another. */
    boolean newTokenHelps(String message, @Nullable String sent) {
        return user.isPresent()
                && (STALE.stream().anyMatch(message::endsWith) || (sent == null && message.endsWith(DENIED)));
    }

    /**
     * Obtains a token that replaces {@code old}, unless that has been done. Then calls {@code done} with the result.
     */
    void renew(@Nullable String old, Connection connection, Duration within, Consumer<Status> done) {
        if (token != null && !token.equals(old)) {
            done.accept(Status.OK);
            return;
        }
        waiting.add(done);
        if (waiting.size() == 1) {
            authenticate(user.orElseThrow(), connection, within);
        }
    }

    private void authenticate(User who, Connection connection, Duration within) {
        String password;
        try {
            password = who.password().reveal();
        } catch (IllegalArgumentException unreadable) {
            refused(
                    connection,
                    new CoordinationException("cannot log in as '" + who.name() + "': " + unreadable.getMessage()));
            return;
        }
        Loop loop = connection.loop();
        if (password.equals(refusedPassword) && loop.nanoTime() - askAgain < 0) {
            refused(connection, refusal(who));
            return;
        }
        AuthenticateRequest request = AuthenticateRequest.newBuilder()
                .setNameBytes(ByteString.copyFromUtf8(who.name()))
                .setPasswordBytes(ByteString.copyFromUtf8(password))
                .build();
        connection.askWithoutToken(AuthGrpc.getAuthenticateMethod(), request, within, (status, answer) -> {
            token = answer == null ? null : answer.getToken();
            if (REFUSED.contains(ErrorClassifier.text(status))) {
                refusals = password.equals(refusedPassword) ? refusals + 1 : 1;
                refusedPassword = password;
                askAgain =
                        loop.nanoTime() + Pauses.afterRefusals(refusals, loop).toNanos();
                refused(connection, refusal(who));
            } else {
                refusedPassword = null;
                answered(status);
            }
        });
    }

    private static CoordinationException refusal(User who) {
        return new CoordinationException(REFUSES + who.name() + "' or its password");
    }

    private void refused(Connection connection, CoordinationException why) {
        if (refused.test(why)) {
            return;
        }
        String text = String.valueOf(why.getMessage());
        answered(Status.UNAVAILABLE.withDescription(text));
        connection.loginRefused(text);
    }

    private void answered(Status status) {
        List<Consumer<Status>> all = List.copyOf(waiting);
        waiting.clear();
        all.forEach(one -> one.accept(status));
    }
}
