package io.baton.etcd.wire;

import io.baton.etcd.wire.EtcdWire.Code;
import io.baton.etcd.wire.EtcdWire.Fault;
import io.grpc.Status;
import java.util.Set;

/**
 * Classifies failures by whether the request was applied, after etcd's {@code rpctypes} of 3.4 and 3.5. It compares
 * their messages, as some reach the client without their status code.
 *
 * <p>A failure not known to mean "not applied" is {@link Code#LOST}. "Database space exceeded" has a code of its own.
 * The server returns it for requests that it has not looked at, and for the one whose application used up the space.
 */
public final class ErrorClassifier {

    /** Messages of a member that cannot serve any request; another one may. */
    private static final Set<String> USELESS = Set.of(
            "etcdserver: no leader",
            "etcdserver: server stopped",
            "etcdserver: not capable",
            "etcdserver: unhealthy cluster",
            "etcdserver: corrupt cluster",
            "etcdserver: rpc not supported for learner");

    private static final String NO_SPACE = "etcdserver: mvcc: database space exceeded";

    private ErrorClassifier() {}

    /** Returns the fault for a request's status. */
    static Fault of(Status status) {
        return status.isOk() ? Fault.NONE : new Fault(code(status), text(status));
    }

    /** Returns the fault for a watch that the server cancelled. */
    static Fault cancelled(String reason, long compacted) {
        if (compacted > 0) {
            return new Fault(Code.COMPACTED, "compacted at revision " + compacted);
        }
        // The reason is an error formatted by Go, including its status.
        Code code = reason.contains("permission denied") || reason.contains("auth") || reason.contains("user name")
                ? Code.DENIED
                : Code.LOST;
        return new Fault(code, "the server cancelled the watch" + (reason.isEmpty() ? "" : ": " + reason));
    }

    /** Whether to try another member. */
    public static boolean useless(String message) {
        return USELESS.contains(message);
    }

    /** Returns the text of a status for messages. */
    static String text(Status status) {
        String description = status.getDescription();
        return description == null ? status.getCode().toString() : description;
    }

    private static Code code(Status status) {
        String message = text(status);
        switch (message) {
            case "etcdserver: requested lease not found" -> {
                return Code.NO_LEASE;
            }
            case "etcdserver: too many operations in txn request", "etcdserver: request is too large" -> {
                return Code.TOO_LARGE;
            }
            case "etcdserver: too many requests" -> {
                return Code.OVERLOADED;
            }
            case "etcdserver: user name is empty",
                    "etcdserver: permission denied",
                    "etcdserver: invalid auth token",
                    "etcdserver: revision of auth store is old" -> {
                return Code.DENIED;
            }
            case "etcdserver: mvcc: required revision has been compacted" -> {
                return Code.COMPACTED;
            }
            case NO_SPACE -> {
                return Code.NO_SPACE;
            }
            default -> {
                return code(status.getCode(), message);
            }
        }
    }

    private static Code code(Status.Code code, String message) {
        return switch (code) {
            case PERMISSION_DENIED, UNAUTHENTICATED -> Code.DENIED;
            case INVALID_ARGUMENT, OUT_OF_RANGE, UNIMPLEMENTED -> Code.REFUSED;
            case RESOURCE_EXHAUSTED ->
                message.startsWith("grpc: received message larger than max") ? Code.TOO_LARGE : Code.LOST;
            default -> Code.LOST;
        };
    }
}
