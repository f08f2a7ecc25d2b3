package io.baton.etcd;

import com.google.protobuf.ByteString;
import io.baton.CoordinationException;
import io.baton.Secret;
import io.etcd.jetcd.api.AuthGrpc;
import io.etcd.jetcd.api.AuthenticateRequest;
import io.etcd.jetcd.api.AuthenticateResponse;
import io.grpc.Metadata;
import io.grpc.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Who a wire is, and the token that says so. Tokens are valid for every member, until they have not been used for a while
 * or what users may do has changed; then the server refuses them without doing anything, and a new one is asked for. So is
 * the first: a cluster that wants no token never hears of the user.
 */
final class Login {

    /** A user and the password, which is read anew for each token. */
    record User(String name, Secret password) {}

    private static final Metadata.Key<String> TOKEN = Metadata.Key.of("token", Metadata.ASCII_STRING_MARSHALLER);

    static final String NOBODY = "etcdserver: user name is empty";

    private static final Set<String> STALE =
            Set.of(NOBODY, "etcdserver: invalid auth token", "etcdserver: revision of auth store is old");

    private static final Set<String> REFUSED =
            Set.of("etcdserver: authentication failed, invalid user ID or password", "etcdserver: user name not found");

    private final Optional<User> user;
    private final Consumer<CoordinationException> refused;
    private final List<Consumer<Status>> waiting = new ArrayList<>();
    private @Nullable String token;

    /** {@code refused} is told if the servers do not know the user, or the password is wrong. */
    Login(Optional<User> user, Consumer<CoordinationException> refused) {
        this.user = user;
        this.refused = refused;
    }

    void sign(Metadata headers) {
        if (token != null) {
            headers.put(TOKEN, token);
        }
    }

    /** The token as it is now, to be told from a later one. */
    @Nullable
    String token() {
        return token;
    }

    /** Whether a request that was refused so will fare better with another token. */
    boolean helps(String message) {
        return user.isPresent() && STALE.stream().anyMatch(message::endsWith);
    }

    /** Gets another token than this one, unless that has been done; then tells how it went. */
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
            refused.accept(
                    new CoordinationException("cannot log in as '" + who.name() + "': " + unreadable.getMessage()));
            return;
        }
        AuthenticateRequest request = AuthenticateRequest.newBuilder()
                .setNameBytes(ByteString.copyFromUtf8(who.name()))
                .setPasswordBytes(ByteString.copyFromUtf8(password))
                .build();
        connection.askOnce(AuthGrpc.getAuthenticateMethod(), request, within, (status, answer) -> {
            answered(who, status, answer);
        });
    }

    private void answered(User who, Status status, @Nullable AuthenticateResponse answer) {
        token = answer == null ? null : answer.getToken();
        if (REFUSED.contains(Faults.text(status))) {
            refused.accept(new CoordinationException("etcd refuses the user '" + who.name() + "' or its password"));
            return;
        }
        List<Consumer<Status>> all = List.copyOf(waiting);
        waiting.clear();
        all.forEach(one -> one.accept(status));
    }
}
