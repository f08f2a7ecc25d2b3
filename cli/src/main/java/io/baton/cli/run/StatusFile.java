package io.baton.cli.run;

import io.baton.cli.Failure;
import io.baton.cli.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;

/** Where {@code --status-file} says that baton's verdict goes; nowhere without it. */
public final class StatusFile {

    private final Optional<Path> file;

    private StatusFile(Optional<Path> file) {
        this.file = file;
    }

    /** The file of this name; none if it is empty. */
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

    /** What {@link #at} makes the same of. */
    String argument() {
        return file.map(Path::toString).orElse("");
    }

    /**
     * Refuses a file that cannot be written at the end.
     *
     * @throws Failure that says why
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

    /** Writes it: whoever looks finds all of it, or what was there before. */
    void write(Ending ending) {
        file.ifPresent(path -> {
            try {
                Path draft = path.resolveSibling(
                        ".baton-status-" + ProcessHandle.current().pid());
                try {
                    Files.writeString(draft, ending.lines());
                    Files.move(draft, path, StandardCopyOption.ATOMIC_MOVE);
                } finally {
                    Files.deleteIfExists(draft);
                }
            } catch (IOException refused) {
                Report.line("cannot write the status file: " + refused);
            }
        });
    }

    /** For a command line that could not be understood, as far as it names a file that can be written. */
    public static void report(String name, Failure failure) {
        try {
            StatusFile file = at(name);
            file.check();
            file.write(Ending.failed(failure));
        } catch (Failure cannotBeWritten) {
            // One mistake at a time.
        }
    }
}
