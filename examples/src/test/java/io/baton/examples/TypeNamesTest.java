package io.baton.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A simple name means one thing in the whole project. */
class TypeNamesTest {

    /** The same part of both stores has the same name. */
    private static final List<String> STORES = List.of("etcd-backend", "zk-backend");

    /** The name by which a program's entry point is known. */
    private static final String MAIN = "Main.java";

    @Test
    void types_ofAllModules_haveNamesOfTheirOwn() throws IOException {
        Map<String, TreeSet<String>> modules = new TreeMap<>();
        Map<String, Integer> counts = new TreeMap<>();
        try (Stream<Path> all = Files.list(Path.of(".."))) {
            for (Path module : all.toList()) {
                for (Path source : sources(module)) {
                    String name = source.getFileName().toString();
                    modules.computeIfAbsent(name, first -> new TreeSet<>())
                            .add(module.getFileName().toString());
                    counts.merge(name, 1, Integer::sum);
                }
            }
        }
        assertThat(counts).hasSizeGreaterThan(500);

        counts.keySet()
                .removeIf(name -> counts.get(name) == 1 || name.equals(MAIN) || isMirrored(name, modules, counts));

        assertThat(counts).isEmpty();
    }

    private static boolean isMirrored(String name, Map<String, TreeSet<String>> modules, Map<String, Integer> counts) {
        return counts.get(name) == STORES.size() && modules.get(name).equals(new TreeSet<>(STORES));
    }

    private static List<Path> sources(Path module) throws IOException {
        Path main = module.resolve("src/main/java");
        if (!Files.isDirectory(main)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(main)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> !file.endsWith("package-info.java") && !file.endsWith("module-info.java"))
                    .toList();
        }
    }
}
