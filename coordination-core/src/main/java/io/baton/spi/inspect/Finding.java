package io.baton.spi.inspect;

/**
 * One result of an examination.
 *
 * @param level how bad it is
 * @param check what was examined, in a word or two, such as {@code tick}
 * @param what the result, for people
 * @param todo what to do about it, for people; empty if nothing
 */
public record Finding(Level level, String check, String what, String todo) {

    /** How bad a finding is; the worst first. */
    public enum Level {
        /** Baton does not work as promised. */
        PROBLEM,
        /** Baton works, but something is worse than necessary or about to fail. */
        WARNING,
        /** The check had no result. */
        UNKNOWN,
        /** As it should be. */
        OK
    }

    /** Returns a {@link Level#PROBLEM}. */
    public static Finding problem(String check, String what, String todo) {
        return new Finding(Level.PROBLEM, check, what, todo);
    }

    /** Returns a {@link Level#WARNING}. */
    public static Finding warning(String check, String what, String todo) {
        return new Finding(Level.WARNING, check, what, todo);
    }

    /** Returns an {@link Level#UNKNOWN}. */
    public static Finding unknown(String check, String what, String todo) {
        return new Finding(Level.UNKNOWN, check, what, todo);
    }

    /** Returns an {@link Level#OK}, with nothing to do. */
    public static Finding ok(String check, String what) {
        return new Finding(Level.OK, check, what, "");
    }
}
