package io.baton.cli.run;

import io.baton.cli.Exit;
import io.baton.cli.Failure;
import io.baton.cli.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;

/** The file of {@code --status-file}, for baton's verdict; does nothing without that option. */
public final class StatusFile {

    private final Optional<Path> file;

    private StatusFile(Optional<Path> file) {
        this.file = file;
    }

    /** Creates the file of this name; none if the name is empty. */
    static StatusFile at(String name) {
        try {
            return new StatusFile(
                    name.isEmpty()
                            ? Optional.empty()
                            : Optional.of(Path.of(name).toAbsolutePath()));
        } catch (InvalidPathException impossible) {
            throw Failure.usage("--status-file: " + Failure.text(impossible));
        }
    }

    /** The argument from which {@link #at} creates the same file. */
    String argument() {
        return file.map(Path::toString).orElse("");
    }

    /**
     * Checks that the file can be written at the end.
     *
     * @throws Failure if it cannot; the message says why
     */
    void check() {
        file.ifPresent(path -> {
            Path directory = path.getParent();
            if (directory == null || (Files.exists(path) && !Files.isRegularFile(path))) {
                throw Failure.usage("--status-file: " + path + " is no regular file");
            } else if (!Files.isDirectory(directory)) {
                throw Failure.usage("--status-file: there is no directory " + directory);
            } else if (!Files.isWritable(directory)) {
                throw Failure.usage("--status-file: cannot write to the directory " + directory);
            }
        });
    }

    /**
     * Checks the file, and replaces what an earlier run has written into it.
     *
     * @throws Failure if that is impossible; the message says why
     */
    void begin() {
        check();
        file.ifPresent(path -> {
            try {
                replace(path, Ending.started());
            } catch (IOException refused) {
                throw new Failure(Exit.CANNOT_WRITE, "--status-file: cannot write " + path + ": " + refused);
            }
        });
    }

    /** Writes the file atomically: a reader finds all of it, or the former content. */
    void write(Ending ending) {
        file.ifPresent(path -> {
            try {
                replace(path, ending);
            } catch (IOException refused) {
                Report.line("cannot write the status file: " + refused);
            }
        });
    }

    private static void replace(Path path, Ending ending) throws IOException {
        Path draft =
                path.resolveSibling(".baton-status-" + ProcessHandle.current().pid());
        try {
            Files.writeString(draft, ending.lines());
            Files.move(draft, path, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(draft);
        }
    }

    /** Writes the file for an invalid command line, if it names a file that can be written. */
    public static void report(String name, Failure failure) {
        try {
            StatusFile file = at(name);
            file.check();
            file.write(Ending.failed(failure));
        } catch (Failure cannotBeWritten) {
            // Only the first error is reported.
        }
    }
}
