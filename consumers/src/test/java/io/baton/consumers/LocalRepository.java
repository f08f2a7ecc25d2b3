package io.baton.consumers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A local repository for Maven that has this build's artifacts. All others are links into the machine's own local
 * repository, so that nothing is fetched twice, and nothing of Baton is left there.
 */
final class LocalRepository {

    private static final Pattern OWN = Pattern.compile(
            "<artifactId>(baton-[\\w-]+)</artifactId>\\s*(?:<version>([^<]+)</version>)?\\s*(?:<packaging>|<name>)");

    /** Those that the projects use; others may be built at the same time. */
    private static final List<String> MODULES = List.of(
            "bom",
            "coordination-core",
            "testkit",
            "leader-election",
            "config-watch",
            "zk-backend",
            "etcd-backend",
            "micrometer");

    private final Path directory;

    private LocalRepository(Path directory) {
        this.directory = directory;
    }

    /**
     * Makes one.
     *
     * @param directory where; it is not there yet
     * @param machine the machine's own
     * @param root the root of this build, below which the modules have been packaged
     */
    static LocalRepository make(Path directory, Path machine, Path root, String version) throws IOException {
        var repository = new LocalRepository(directory);
        repository.link(machine, Path.of("io/baton"));
        repository.publish(root, version);
        for (String module : MODULES) {
            repository.publish(root.resolve(module), version);
        }
        return repository;
    }

    Path directory() {
        return directory;
    }

    /** Links what the machine has but what is ours: for that, and for the folders above it, there are folders of this one. */
    private void link(Path machine, Path ours) throws IOException {
        Path above = Path.of("");
        Files.createDirectories(directory.resolve(ours));
        for (Path name : ours) {
            Path next = above.resolve(name);
            try (Stream<Path> others = Files.list(machine.resolve(above))) {
                for (Path other : others.filter(Files::isDirectory).toList()) {
                    Path here = directory.resolve(above).resolve(other.getFileName());
                    if (!here.equals(directory.resolve(next))) {
                        Files.createSymbolicLink(here, other);
                    }
                }
            }
            above = next;
        }
    }

    /** Puts a module's POM here and, if it has one, its jar, as Maven would on {@code install}. */
    private void publish(Path module, String version) throws IOException {
        Path pom = module.resolve("pom.xml");
        Matcher own = OWN.matcher(Files.readString(pom));
        if (!own.find()) {
            throw new IllegalStateException("cannot tell which artifact this is: " + pom);
        }
        String file = own.group(1) + "-" + version;
        Path here = Files.createDirectories(directory.resolve(Path.of("io/baton", own.group(1), version)));
        Files.copy(pom, here.resolve(file + ".pom"));
        Path jar = module.resolve("target").resolve(file + ".jar");
        if (Files.exists(jar)) { // there is none of a POM alone
            Files.copy(jar, here.resolve(jar.getFileName()));
        }
    }
}
