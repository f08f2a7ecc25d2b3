package io.baton.cli.elect;

/** The name of the operator who runs a command, as records and logs show it. */
public final class Operator {

    private Operator() {}

    /** The user and the host, as {@code ops@bastion}. */
    public static String currentUser() {
        return System.getProperty("user.name") + "@" + CandidateOptions.host();
    }
}
