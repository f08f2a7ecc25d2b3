package io.baton.cli.run;

import io.baton.cli.Exit;
import io.baton.cli.Failure;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Finds commands as {@code execvp} does, so that a misspelt command fails before any wait for a lock. */
final class Executable {

    private static final String DEFAULT_PATH = "/usr/bin:/bin";

    private Executable() {}

    /**
     * Checks that the command can be started.
     *
     * @throws Failure with the status that a shell would give
     */
    static void check(String command) {
        if (command.isEmpty()) {
            throw new Failure(Exit.NOT_FOUND, "cannot start '': a command has a name");
        }
        Path file = command.contains("/") ? Path.of(command) : found(command);
        checkFile(command, file);
        Shebang.check(command, file);
    }

    /** The file of this name in PATH, also if it cannot be started and there is no other. */
    private static Path found(String command) {
        return find(command)
                .or(() -> candidates(command).filter(Files::isRegularFile).findFirst())
                .orElseThrow(() -> new Failure(Exit.NOT_FOUND, "cannot start '" + command + "': not found in PATH"));
    }

    /** Searches PATH for this name. */
    static Optional<Path> find(String name) {
        return candidates(name).filter(Executable::runs).findFirst();
    }

    private static Stream<Path> candidates(String name) {
        String path = System.getenv("PATH");
        return Pattern.compile(File.pathSeparator)
                .splitAsStream(path == null ? DEFAULT_PATH : path)
                .map(directory -> Path.of(directory, name));
    }

    private static boolean runs(Path file) {
        return Files.isRegularFile(file) && Files.isExecutable(file);
    }

    private static void checkFile(String command, Path file) {
        if (!Files.exists(file)) {
            throw new Failure(Exit.NOT_FOUND, "cannot start '" + command + "': no such file");
        } else if (Files.isDirectory(file)) {
            throw new Failure(Exit.CANNOT_START, "cannot start '" + command + "': it is a directory");
        } else if (!runs(file)) {
            throw new Failure(Exit.CANNOT_START, "cannot start '" + command + "': " + file + " is not executable");
        }
    }
}
