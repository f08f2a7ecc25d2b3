package io.baton.testkit.database;

import io.baton.testkit.server.Command;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Finds and runs the programs of a database. */
final class DatabasePrograms {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String IN_DIRECTORY = "cd \"$1\" && shift && exec \"$@\"";

    private DatabasePrograms() {}

    /**
     * The directory that holds all of these programs: that which the environment variable names, or the first of
     * {@code PATH} and of these places.
     *
     * @param howToGet what to do if there is none
     * @throws IllegalStateException if there is none
     */
    static Path directory(String variable, List<String> programs, Stream<Path> places, String howToGet) {
        Optional<String> named = Optional.ofNullable(System.getenv(variable)).filter(text -> !text.isBlank());
        if (named.isPresent()) {
            Path directory = Path.of(named.get()).toAbsolutePath();
            if (!holds(directory, programs)) {
                throw new IllegalStateException(variable + " names " + directory + ", which does not hold " + programs);
            }
            return directory;
        }
        String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
        return Stream.concat(
                        Pattern.compile(Pattern.quote(File.pathSeparator))
                                .splitAsStream(path)
                                .filter(place -> !place.isBlank())
                                .map(Path::of),
                        places)
                .filter(place -> holds(place, programs))
                .map(place -> real(place.resolve(programs.get(0))))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no " + programs.get(0) + " here: set " + variable
                        + " to a directory that holds " + String.join(" and ", programs) + ", or install it ("
                        + howToGet + ")"));
    }

    /** Runs a program to its end, in this directory. */
    static void run(Path home, String input, List<String> command) {
        Command.Outcome outcome = Command.run(
                Stream.concat(Stream.of("sh", "-c", IN_DIRECTORY, "sh", home.toString()), command.stream())
                        .toList(),
                Map.of(),
                input,
                PATIENCE);
        if (!outcome.ok()) {
            throw new IllegalStateException(command + " failed:\n" + outcome.out() + outcome.err());
        }
    }

    /** Whether the owner of this directory, which this process has made, is root. */
    static boolean isRoot(Path made) {
        try {
            return Integer.valueOf(0).equals(Files.getAttribute(made, "unix:uid"));
        } catch (IOException broken) {
            throw new UncheckedIOException("cannot look at " + made, broken);
        }
    }

    private static boolean holds(Path directory, List<String> programs) {
        return programs.stream().allMatch(each -> Files.isExecutable(directory.resolve(each)));
    }

    /** A link leads to where the other files of the program are. */
    private static Path real(Path program) {
        try {
            return program.toRealPath().resolveSibling("");
        } catch (IOException gone) {
            throw new UncheckedIOException("cannot look at " + program, gone);
        }
    }
}
