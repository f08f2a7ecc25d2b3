package io.baton.cli;

import io.baton.spi.Line;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Whose line is meant: one of the two options, or neither for a lock. */
public final class QueueKind {

    /** Describes {@code --read-write}. */
    public static final String READ_WRITE = "NAME is a read/write lock, as of 'baton lock --shared' and '--exclusive'.";

    @Option(names = "--read-write", description = READ_WRITE)
    boolean readWrite;

    @Option(names = "--semaphore", description = "NAME is a semaphore, as of 'baton lock --permits'.")
    boolean semaphore;

    /** For the command line parser. */
    public QueueKind() {}

    /**
     * Returns the kind of line that these options mean; null for none.
     *
     * @throws Failure if they do not go with this place
     */
    public static Line.Kind of(@Nullable QueueKind given, PlaceOption place) {
        if (given == null) {
            return Line.Kind.MUTEX;
        }
        if (given.semaphore && place.given()) {
            throw Failure.usage("--semaphore is found by its name: it goes without --at");
        }
        return given.semaphore ? Line.Kind.PERMITS : Line.Kind.READ_WRITE;
    }
}
