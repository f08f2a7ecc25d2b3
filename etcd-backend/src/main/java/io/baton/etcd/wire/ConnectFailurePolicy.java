package io.baton.etcd.wire;

import io.baton.CoordinationException;
import io.baton.StoreUnavailableException;
import io.baton.etcd.wire.Diagnosis.Kind;
import io.baton.etcd.wire.EtcdAddress.Host;
import io.grpc.Status;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides after failed attempts whether to go on, or to fail because the configuration must change. A missing member
 * may come back. If the only members reached have a wrong configuration, further attempts cannot succeed.
 */
final class ConnectFailurePolicy {

    private final EtcdAddress address;
    private final boolean user;
    private boolean made;
    // A member that hangs up is judged twice.
    private final Set<Host> tried = new HashSet<>();
    private boolean ailing;
    private @Nullable String wrong;

    /** {@code user}: whether a user is set. */
    ConnectFailurePolicy(EtcdAddress address, boolean user) {
        this.address = address;
        this.user = user;
    }

    /** Whether there has been contact. */
    boolean hasConnected() {
        return made;
    }

    /** There has been contact, so the address is right. */
    void connected() {
        made = true;
    }

    /**
     * Returns why further attempts are useless because the cluster refuses this client, or because the client cannot
     * work. Empty after a first contact, as the client may be accepted again.
     */
    Optional<CoordinationException> denied(Status status) {
        String said = ErrorClassifier.text(status);
        if (made) {
            return Optional.empty();
        }
        Optional<LinkageError> misfit = Diagnosis.cause(status, LinkageError.class);
        if (misfit.isPresent()) {
            return Optional.of(new CoordinationException(
                    "cannot use etcd at " + address + ": " + LibraryVersions.misfit(misfit.get()), misfit.get()));
        } else if (said.equals(Login.NOBODY) && !user) {
            return Optional.of(
                    new CoordinationException("etcd at " + address + " wants to know who asks, and no user is"
                            + " set: set BATON_ETCD_USER and BATON_ETCD_PASSWORD_FILE, or user and password.file in a file with"
                            + " ?config=FILE"));
        } else if (said.equals("etcdserver: permission denied")) {
            return Optional.of(
                    new CoordinationException("etcd at " + address + " does not let this user read keys below "
                            + address.key("") + ": grant it a role that may read and write that prefix"));
        }
        return Optional.empty();
    }

    /** Returns why further attempts are useless, once each member has been tried. */
    Optional<CoordinationException> giveUpReason(Host host, Diagnosis diagnosis) {
        tried.add(host);
        if (diagnosis.kind() == Kind.AILING) {
            ailing = true;
        } else if (diagnosis.kind() == Kind.WRONG) {
            wrong = diagnosis.text();
        }
        return made || ailing || wrong == null || !tried.containsAll(address.hosts())
                ? Optional.empty()
                : Optional.of(new StoreUnavailableException("cannot connect to " + address + ": " + wrong));
    }
}
