package io.baton.config.internal.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class JsonTest {

    private static final Path CLASSES = Path.of("target/classes");

    /** On the module path Jackson reads and writes what is opened to it only; tests run on the class path. */
    @Test
    void module_packagesOfAllThatIsReadAsJson_areOpened() throws IOException {
        Set<String> opened;
        try (InputStream module = Files.newInputStream(CLASSES.resolve("module-info.class"))) {
            opened = ModuleDescriptor.read(module).opens().stream()
                    .map(ModuleDescriptor.Opens::source)
                    .collect(Collectors.toSet());
        }

        assertThat(packagesThatReadJson()).isNotEmpty().isSubsetOf(opened);
    }

    private static List<String> packagesThatReadJson() throws IOException {
        Path sources = Path.of("src/main/java");
        try (Stream<Path> files = Files.walk(sources)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .filter(JsonTest::readsJson)
                    .map(file -> sources.relativize(file.getParent()).toString().replace('/', '.'))
                    .distinct()
                    .toList();
        }
    }

    private static boolean readsJson(Path file) {
        try {
            String source = Files.readString(file);
            return source.contains(" Json.read(");
        } catch (IOException unreadable) {
            throw new IllegalStateException(unreadable);
        }
    }
}
