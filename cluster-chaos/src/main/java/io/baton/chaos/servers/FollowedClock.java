package io.baton.chaos.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/**
 * The wall clock of all processes of a server that looks at it in signal handlers, as PostgreSQL does. There nothing may be
 * read as a {@link WallClock} is: that allocates memory, and the server ends by a signal. libfaketime also goes by the time
 * of a file alone, to which it adds for how long the server runs.
 */
final class FollowedClock {

    private final Path library;
    private final Path file;
    private Instant started = Instant.now();

    FollowedClock(Path library, Path file) {
        this.library = library;
        this.file = file;
        try {
            Files.write(file, new byte[0]);
        } catch (IOException broken) {
            throw new UncheckedIOException("cannot make " + file, broken);
        }
        starting();
    }

    /** What the server needs in its environment. */
    Map<String, String> environment() {
        return Map.of(
                "LD_PRELOAD", library.toString(),
                "FAKETIME", "%",
                "FAKETIME_FOLLOW_FILE", file.toString(),
                "FAKETIME_DONT_RESET", "1",
                "FAKETIME_NO_CACHE", "1",
                "FAKETIME_DONT_FAKE_MONOTONIC", "1",
                "FAKETIME_FORCE_MONOTONIC_FIX", "0");
    }

    /** The server is about to start, and shows about the right time. */
    void starting() {
        started = Instant.now();
        set(Duration.ZERO);
    }

    /** The server shows this time now, since when it was last {@link #set}. */
    void shown(Instant time) {
        started = time().plus(Duration.between(time, Instant.now()));
    }

    /** Sets it off by so much from the right time, at once. */
    void set(Duration off) {
        try {
            Files.setLastModifiedTime(file, FileTime.from(started.plus(off)));
        } catch (IOException broken) {
            throw new UncheckedIOException("cannot set " + file, broken);
        }
    }

    private Instant time() {
        try {
            return Files.getLastModifiedTime(file).toInstant();
        } catch (IOException broken) {
            throw new UncheckedIOException("cannot read " + file, broken);
        }
    }
}
