package io.baton.chaos.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * libfaketime, which gives a process a wall clock of its own, and leaves its monotonic clock alone.
 *
 * <p>It is looked for where the environment variable {@code BATON_FAKETIME} says, as {@code tools/faketime} prints it.
 */
public final class FakeTime {

    /** The environment variable that names the library. */
    public static final String VARIABLE = "BATON_FAKETIME";

    private static final Path SHARED_MEMORY = Path.of("/dev/shm");

    private final Path library;
    private final Path folder;

    private FakeTime(Path library, Path folder) {
        this.library = library;
        this.folder = folder;
    }

    /** The one that the variable names, if it names one; clocks are kept as files in this folder. */
    public static Optional<FakeTime> find(Path folder) {
        return Optional.ofNullable(System.getenv(VARIABLE))
                .filter(text -> !text.isBlank())
                .map(Path::of)
                .map(library -> new FakeTime(library.toAbsolutePath(), folder.toAbsolutePath()));
    }

    /** A clock that shows the right time. */
    public WallClock clock(String name) {
        return new WallClock(library, folder.resolve(name + ".clock"));
    }

    /** A clock that shows the right time, for a server that looks at it in signal handlers. */
    FollowedClock followedClock(String name) {
        return new FollowedClock(library, folder.resolve(name + ".clock"));
    }

    /** Deletes what the library leaves behind of a process that was killed. */
    public static void forget(long pid) {
        try {
            Files.deleteIfExists(SHARED_MEMORY.resolve("faketime_shm_" + pid));
            Files.deleteIfExists(SHARED_MEMORY.resolve("sem.faketime_sem_" + pid));
        } catch (IOException broken) {
            throw new UncheckedIOException("cannot clean up after process " + pid, broken);
        }
    }
}
