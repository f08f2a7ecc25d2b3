package io.baton.spi.inspect;

/**
 * What an examination found about one thing.
 *
 * @param level how bad it is
 * @param check what was looked at, in a word or two, as {@code tick}
 * @param what what is so, for people
 * @param todo what to do about it, for people; empty if there is nothing to be done
 */
public record Finding(Level level, String check, String what, String todo) {

    /** How bad it is; the worst first. */
    public enum Level {
        /** Baton does not work as promised. */
        PROBLEM,
        /** It works, and something is worse than need be, or about to be wrong. */
        WARNING,
        /** It could not be found out. */
        UNKNOWN,
        /** As it should be. */
        OK
    }

    /** Baton does not work as promised. */
    public static Finding problem(String check, String what, String todo) {
        return new Finding(Level.PROBLEM, check, what, todo);
    }

    /** It works, and something is worse than need be, or about to be wrong. */
    public static Finding warning(String check, String what, String todo) {
        return new Finding(Level.WARNING, check, what, todo);
    }

    /** It could not be found out. */
    public static Finding unknown(String check, String what, String todo) {
        return new Finding(Level.UNKNOWN, check, what, todo);
    }

    /** As it should be. */
    public static Finding ok(String check, String what) {
        return new Finding(Level.OK, check, what, "");
    }
}
