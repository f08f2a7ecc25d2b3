package io.baton.cli;

import io.baton.cli.run.Training;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The class path of the command, and an archive of the classes that it loads, as the script of the distribution makes
 * it. These tests start hundreds of commands, which spend a quarter less of processor time with it. An archive that
 * cannot be made, or does not fit, costs time only.
 */
final class CommandClasses {

    private static final Path TARGET = Path.of("target").toAbsolutePath();
    private static final String CLASS_PATH = withoutTests();
    private static final Path ARCHIVE = TARGET.resolve("command-" + Integer.toHexString(state(CLASS_PATH)) + ".jsa");
    private static boolean made;

    private CommandClasses() {}

    /** Without the tests' own classes. */
    static String path() {
        return CLASS_PATH;
    }

    /** What has a JVM use the archive. */
    static synchronized List<String> options() throws IOException {
        if (!made) {
            make();
            made = true;
        }
        return Files.size(ARCHIVE) == 0
                ? List.of()
                : List.of("-XX:SharedArchiveFile=" + ARCHIVE, "-Dbaton.archive=" + ARCHIVE, "-Xlog:disable");
    }

    /** Several JVMs of these tests may come at once. */
    private static void make() throws IOException {
        try (FileChannel channel = FileChannel.open(
                        TARGET.resolve("command.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock alone = channel.lock()) {
            assert alone.isValid();
            if (!Files.exists(ARCHIVE)) {
                Path made = Files.createTempFile(TARGET, "command", ".new");
                if (!jarsOnly() || !train(made)) {
                    Files.write(made, new byte[0]);
                }
                Files.move(made, ARCHIVE, StandardCopyOption.ATOMIC_MOVE);
            }
        }
    }

    private static boolean train(Path archive) throws IOException {
        var line = new ArrayList<>(BatonProcess.JVM);
        line.addAll(List.of(
                "-Xlog:disable",
                "-XX:ArchiveClassesAtExit=" + archive,
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=off",
                "-cp",
                CLASS_PATH,
                Training.class.getName()));
        Process training = new ProcessBuilder(line)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        training.getOutputStream().close();
        try {
            return training.waitFor(60, TimeUnit.SECONDS) && training.exitValue() == 0;
        } catch (InterruptedException unwanted) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            training.destroyForcibly();
        }
    }

    private static String withoutTests() {
        String all = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        return Stream.of(all.split(File.pathSeparator))
                .filter(entry -> !entry.endsWith("test-classes"))
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** A JVM archives no classes from directories, as development environments have them. */
    private static boolean jarsOnly() {
        return Stream.of(CLASS_PATH.split(File.pathSeparator)).noneMatch(entry -> Files.isDirectory(Path.of(entry)));
    }

    /** A number that differs once a jar does. */
    private static int state(String classPath) {
        long[] each = Stream.of(classPath.split(File.pathSeparator))
                .map(Path::of)
                .filter(Files::exists)
                .flatMapToLong(jar -> {
                    try {
                        return Stream.of(
                                        jar.hashCode(),
                                        Files.size(jar),
                                        Files.getLastModifiedTime(jar).toMillis())
                                .mapToLong(Number::longValue);
                    } catch (IOException broken) {
                        throw new UncheckedIOException(broken);
                    }
                })
                .toArray();
        return Arrays.hashCode(each);
    }
}
