package io.baton.consumers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Projects as users of Baton have them, each a folder with a POM. One Maven builds all, as its start costs the most. */
final class UserProjects {

    private static final Pattern PLACEHOLDER = Pattern.compile("@([\\w.-]+)@");
    private static final Pattern TESTS = Pattern.compile("<testsuite [^>]*\\btests=\"(\\d+)\"");

    /** Generous, as Maven fetches what this machine has not built with yet. */
    private static final long MINUTES = 15;

    private final Path directory;
    private final Map<String, String> versions;
    private final Map<String, Path> added = new TreeMap<>();

    /** No project yet; they will be below this directory, with these values for what stands between two {@code @}. */
    UserProjects(Path directory, Map<String, String> versions) throws IOException {
        this.directory = directory;
        this.versions = versions;
        // Settings for Maven of folders above this one are not a user's.
        Files.createDirectory(directory.resolve(".mvn"));
    }

    /** Adds a copy of a folder of {@code projects/}, with these values in its POM besides. */
    void add(String name, String folder, Map<String, String> values) throws IOException {
        Path from = Path.of("projects", folder).toAbsolutePath();
        Path to = directory.resolve(name);
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path copy = to.resolve(from.relativize(file).toString());
                Files.createDirectories(copy.getParent());
                Files.copy(file, copy);
            }
        }
        var all = new HashMap<>(versions);
        all.put("name", name);
        all.putAll(values);
        Path pom = to.resolve("pom.xml");
        Files.writeString(pom, PLACEHOLDER.matcher(Files.readString(pom)).replaceAll(found -> value(all, found)));
        added.put(name, to);
    }

    private static String value(Map<String, String> values, MatchResult found) {
        String value = values.get(found.group(1));
        if (value == null) {
            throw new IllegalArgumentException("no value for " + found.group());
        }
        return value;
    }

    /**
     * Runs the tests of those with these names, and forgets the others; returns Maven's exit status. What Maven prints
     * goes to {@link #log}.
     */
    int test(Set<String> names, Path maven, Path java, LocalRepository repository, Map<String, String> environment)
            throws IOException, InterruptedException {
        added.keySet().retainAll(names);
        var modules = new StringBuilder();
        added.keySet().forEach(name -> modules.append("<module>").append(name).append("</module>"));
        Files.writeString(directory.resolve("pom.xml"), """
                <project>
                  <modelVersion>4.0.0</modelVersion>
                  <groupId>consumer</groupId>
                  <artifactId>all</artifactId>
                  <version>1</version>
                  <packaging>pom</packaging>
                  <modules>%s</modules>
                </project>
                """.formatted(modules));
        List<String> line = List.of(
                maven.resolve("bin/mvn").toString(),
                "-B",
                "-ntp",
                "-fae",
                "-T",
                "2",
                "-Dmaven.repo.local=" + repository.directory(),
                "-DargLine=-XX:+UseSerialGC -XX:TieredStopAtLevel=1",
                "test");
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

    /** How many tests each has run, as the reports say. */
    Map<String, Integer> tests() throws IOException {
        var counts = new TreeMap<String, Integer>();
        for (Map.Entry<String, Path> project : added.entrySet()) {
            int tests = 0;
            try (Stream<Path> reports = Files.list(project.getValue().resolve("target/surefire-reports"))) {
                for (Path report :
                        reports.filter(file -> file.toString().endsWith(".xml")).toList()) {
                    tests += TESTS.matcher(Files.readString(report))
                            .results()
                            .mapToInt(found -> Integer.parseInt(found.group(1)))
                            .sum();
                }
            }
            counts.put(project.getKey(), tests);
        }
        return counts;
    }
}
