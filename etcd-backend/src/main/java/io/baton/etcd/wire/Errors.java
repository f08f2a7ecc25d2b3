package io.baton.etcd.wire;

import io.baton.CoordinationException;
import io.baton.StoreUnavailableException;
import io.baton.etcd.wire.EtcdWire.Fault;

/** The exceptions for requests that the server has refused and not applied. */
public final class Errors {

    private Errors() {}

    public static CoordinationException of(String what, Fault fault) {
        String said = what + ": etcd says " + fault.message() + "; nothing was applied";
        return switch (fault.code()) {
            case DENIED ->
                new CoordinationException(said + "; this client's user is missing, or has no role that may do this");
            case TOO_LARGE ->
                new CoordinationException(said + "; unless started with other limits (--max-txn-ops,"
                        + " --max-request-bytes), a server takes 128 operations and 1.5 MiB at once");
            case NO_SPACE ->
                new StoreUnavailableException(
                        said + "; its operator must compact and defragment it, and disarm the alarm");
            case OVERLOADED -> new StoreUnavailableException(said + "; try again later");
            default -> new CoordinationException(said);
        };
    }
}
