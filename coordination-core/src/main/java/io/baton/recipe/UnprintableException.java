package io.baton.recipe;

import java.io.PrintWriter;
import java.io.Writer;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Stands in for an exception of user code whose own methods throw, so that it cannot be logged or reported. It has the
 * class name of that exception in its message, and its stack trace if that can be read.
 */
public final class UnprintableException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private UnprintableException(Throwable original, Throwable obstacle) {
        super(original.getClass().getName() + ", which cannot be printed: its own methods throw "
                + obstacle.getClass().getName());
    }

    /**
     * Returns this exception if it can be printed with its causes, and otherwise one that stands in for it. Calls its
     * methods, which are user code: not on the loop. Does not throw.
     */
    public static Throwable printable(Throwable thrown) {
        try {
            print(thrown);
            return thrown;
        } catch (Throwable obstacle) {
            return standIn(thrown, obstacle);
        }
    }

    /** Calls all that logs and reports call. */
    private static void print(Throwable thrown) {
        // Ends also if there is a new cause each time, by an overflow of the stack.
        thrown.printStackTrace(new PrintWriter(Writer.nullWriter()));
        read(thrown, Collections.newSetFromMap(new IdentityHashMap<>()));
    }

    private static void read(@Nullable Throwable thrown, Set<Throwable> seen) {
        if (thrown == null || !seen.add(thrown)) {
            return;
        }
        String message = thrown.getMessage();
        Objects.requireNonNull(thrown.toString(), () -> "no text, message: " + message);
        Objects.requireNonNull(thrown.getStackTrace(), "no stack trace");
        for (Throwable suppressed : thrown.getSuppressed()) {
            read(suppressed, seen);
        }
        read(thrown.getCause(), seen);
    }

    private static Throwable standIn(Throwable original, Throwable obstacle) {
        var standIn = new UnprintableException(original, obstacle);
        try {
            standIn.setStackTrace(original.getStackTrace());
        } catch (Throwable unreadable) {
            // Then the trace of this place has to do.
            standIn.addSuppressed(new IllegalStateException("its stack trace cannot be read"));
        }
        return standIn;
    }
}
