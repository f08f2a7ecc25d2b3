package io.baton.consumers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A project as a user of Baton has it: a folder with a POM, which a Maven of its own builds. */
final class UserProject {

    private static final Pattern PLACEHOLDER = Pattern.compile("@([\\w.-]+)@");
    private static final Pattern TESTS = Pattern.compile("<testsuite [^>]*\\btests=\"(\\d+)\"");

    /** Generous, as it fetches from afar what this machine has not built with yet. */
    private static final long MINUTES = 15;

    private final Path directory;

    private UserProject(Path directory) {
        this.directory = directory;
    }

    /** Copies a project to this directory, with these values for what stands between two {@code @} in its POM. */
    static UserProject copy(Path from, Path to, Map<String, String> values) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path copy = to.resolve(from.relativize(file).toString());
                Files.createDirectories(copy.getParent());
                Files.copy(file, copy);
            }
        }
        Path pom = to.resolve("pom.xml");
        Files.writeString(pom, PLACEHOLDER.matcher(Files.readString(pom)).replaceAll(found -> value(values, found)));
        // Settings for Maven of folders above this one are not a user's.
        Files.createDirectory(to.resolve(".mvn"));
        return new UserProject(to);
    }

    private static String value(Map<String, String> values, MatchResult found) {
        String value = values.get(found.group(1));
        if (value == null) {
            throw new IllegalArgumentException("no value for " + found.group());
        }
        return value;
    }

    /** Runs its tests; returns Maven's exit status. What Maven prints goes to {@link #log}. */
    int test(Path maven, Path java, LocalRepository repository, Map<String, String> environment)
            throws IOException, InterruptedException {
        List<String> line = List.of(
                maven.resolve("bin/mvn").toString(), "-B", "-ntp", "-Dmaven.repo.local=" + repository.directory(), "test");
        ProcessBuilder builder = new ProcessBuilder(line)
                .directory(directory.toFile())
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("log").toFile());
        builder.environment().putAll(environment);
        builder.environment().put("JAVA_HOME", java.toString());
        builder.environment().put("MAVEN_OPTS", "-XX:+UseSerialGC -XX:TieredStopAtLevel=1");
        Process process = builder.start();
        try {
            if (!process.waitFor(MINUTES, TimeUnit.MINUTES)) {
                throw new AssertionError("still running; so far it said: " + log());
            }
            return process.exitValue();
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    String log() throws IOException {
        return Files.readString(directory.resolve("log"));
    }

    /** How many tests it has run, as the reports say. */
    int tests() throws IOException {
        int tests = 0;
        try (Stream<Path> reports = Files.list(directory.resolve("target/surefire-reports"))) {
            for (Path report : reports.filter(file -> file.toString().endsWith(".xml")).toList()) {
                tests += TESTS.matcher(Files.readString(report))
                        .results()
                        .mapToInt(found -> Integer.parseInt(found.group(1)))
                        .sum();
            }
        }
        return tests;
    }
}
