package io.baton.cli.elect;

import java.net.UnknownHostException;

/** The name of the operator who runs a command, as records and logs show it. */
public final class Operator {

    /** Finds the name of a machine. */
    @FunctionalInterface
    interface HostLookup {
        String name() throws UnknownHostException;
    }

    private Operator() {}

    /** The user and the host, as {@code ops@bastion}; the user alone if this machine does not know its name. */
    public static String currentUser() {
        return currentUser(CandidateOptions::host);
    }

    static String currentUser(HostLookup host) {
        String user = System.getProperty("user.name");
        try {
            return user + "@" + host.name();
        } catch (UnknownHostException nameless) {
            return user;
        }
    }
}
