package io.baton.chaos.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;

/** The wall clock of one process, or of those that come one after the other in its place. */
public final class WallClock {

    private final Path library;
    private final Path file;

    WallClock(Path library, Path file) {
        this.library = library;
        this.file = file;
        set(Duration.ZERO);
    }

    /** What the process needs in its environment. */
    public Map<String, String> environment() {
        return Map.of(
                "LD_PRELOAD", library.toString(),
                "FAKETIME_TIMESTAMP_FILE", file.toString(),
                "FAKETIME_NO_CACHE", "1",
                "FAKETIME_DONT_FAKE_MONOTONIC", "1",
                // Otherwise timed waits of a JVM end at any time, early or late.
                "FAKETIME_FORCE_MONOTONIC_FIX", "0");
    }

    /** Sets it off by so much from the right time, at once. */
    public void set(Duration off) {
        Path next = file.resolveSibling(file.getFileName() + ".next");
        try {
            Files.writeString(next, String.format(Locale.ROOT, "%+.3f\n", off.toMillis() / 1000.0));
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException broken) {
            throw new UncheckedIOException("cannot set " + file, broken);
        }
    }
}
