package io.baton.cli.elect;

/** Who gives commands, for people. */
public final class Operator {

    private Operator() {}

    /** The user and the host, as {@code ops@bastion}. */
    public static String me() {
        return System.getProperty("user.name") + "@" + CandidateOptions.host();
    }
}
