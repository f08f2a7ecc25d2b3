package io.baton.cli;

import io.baton.CoordinationException;
import io.baton.config.ConfigConflictException;
import io.baton.config.ConfigException;
import io.baton.recipe.RecordConflictException;

/** Ends a command with one line of text and an exit status. */
public final class Failure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final int status;

    /** Ends with this status; the message says what to do. */
    public Failure(int status, String message) {
        super(message);
        this.status = status;
    }

    /** The exit status. */
    public int status() {
        return status;
    }

    /** Creates the failure for an invalid command line; the message says which part. */
    public static Failure usage(String message) {
        return new Failure(Exit.USAGE, message);
    }

    /**
     * Returns a conflict if a recipe has refused what was asked for, as its record says something else; otherwise the
     * exception itself, as of a store that is out of reach.
     */
    public static RuntimeException conflictOr(CoordinationException refused) {
        return refused instanceof RecordConflictException ? new Failure(Exit.CONFLICT, text(refused)) : refused;
    }

    /** Translates any exception into a failure for the user. */
    public static Failure of(Throwable thrown) {
        if (thrown instanceof Failure failure) {
            return failure;
        } else if (thrown instanceof IllegalArgumentException wrong) {
            return usage(text(wrong));
        } else if (thrown instanceof ConfigConflictException meanwhile) {
            return new Failure(Exit.CONFLICT, text(meanwhile));
        } else if (thrown instanceof ConfigException refused) {
            return usage(text(refused));
        } else if (thrown instanceof CoordinationException store) {
            // The timings do not fit what the servers grant; the servers can be reached and are not broken. A record
            // with other text, as one with no number, is another matter.
            boolean timings = rootCause(store).getClass() == IllegalArgumentException.class;
            return new Failure(timings ? Exit.USAGE : Exit.UNAVAILABLE, text(store));
        }
        return new Failure(Exit.DEFECT, "this is a defect of Baton, please report it: " + defect(thrown));
    }

    /** Prints the message; returns the status. */
    int report() {
        Report.line(text(this));
        return status;
    }

    /** The message of an exception. */
    public static String text(Throwable thrown) {
        String message = thrown.getMessage();
        return message == null ? thrown.getClass().getSimpleName() : message;
    }

    private static Throwable rootCause(Throwable thrown) {
        Throwable cause = thrown;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    private static String defect(Throwable thrown) {
        StackTraceElement[] trace = thrown.getStackTrace();
        return trace.length == 0 ? thrown.toString() : thrown + " at " + trace[0];
    }
}
