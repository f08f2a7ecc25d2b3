package io.baton.examples;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The names of all tests, as the sources of the modules have them. */
final class TestNames {

    /** From the annotation to the method's name, without an empty line between. */
    private static final Pattern METHOD = Pattern.compile(
            "@(?:Test|ParameterizedTest|RepeatedTest|TestFactory)\\b(?:(?!\\R\\s*\\R).)*?\\bvoid (\\w+)\\(",
            Pattern.DOTALL);

    private static final Pattern PARENT =
            Pattern.compile("^(?:public |abstract |final )*class \\w+ extends (\\w+)", Pattern.MULTILINE);

    /** Classes of one name in several modules are one here. */
    private final Map<String, Set<String>> methods = new TreeMap<>();

    private final Map<String, Set<String>> parents = new TreeMap<>();

    /** Reads the tests of every module below the root, and those of the contract suite. */
    static TestNames below(Path root) throws IOException {
        var names = new TestNames();
        try (Stream<Path> modules = Files.list(root)) {
            for (Path module : modules.toList()) {
                names.read(module.resolve("src/test/java"));
            }
        }
        names.read(root.resolve("store-tck/src/main/java/io/baton/tck"));
        return names;
    }

    private void read(Path sources) throws IOException {
        if (!Files.isDirectory(sources)) {
            return;
        }
        try (Stream<Path> files = Files.walk(sources)) {
            files.filter(file -> file.toString().endsWith(".java")).forEach(this::add);
        }
    }

    private void add(Path file) {
        String name = file.getFileName().toString().replace(".java", "");
        String source;
        try {
            source = Files.readString(file);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
        groups(METHOD, source).forEach(methods.computeIfAbsent(name, any -> new HashSet<>())::add);
        groups(PARENT, source).forEach(parents.computeIfAbsent(name, any -> new HashSet<>())::add);
    }

    /** What the first group of each match is. */
    static List<String> groups(Pattern pattern, String source) {
        return pattern.matcher(source).results().map(found -> found.group(1)).toList();
    }

    /**
     * Whether there is such a test.
     *
     * @param reference a class, a class and a method, or a method alone; {@code *} and an ellipsis stand for anything
     */
    boolean have(String reference) {
        Matcher parts =
                Pattern.compile("(?:([A-Z][\\w*]*)(?:\\.|$))?([\\w*…]+)?").matcher(reference);
        if (!parts.matches()) {
            return false;
        }
        Pattern type = pattern(parts.group(1) == null ? "*" : parts.group(1));
        List<String> types = methods.keySet().stream()
                .filter(name -> type.matcher(name).matches())
                .toList();
        if (parts.group(2) == null) {
            return !types.isEmpty();
        }
        Pattern method = pattern(parts.group(2));
        return types.stream()
                .flatMap(name -> inherited(name).stream())
                .anyMatch(name -> method.matcher(name).matches());
    }

    private static Pattern pattern(String name) {
        return Pattern.compile(name.replaceAll("[*…]", "\\\\w*"));
    }

    private List<String> inherited(String type) {
        var all = new ArrayList<>(methods.getOrDefault(type, Set.of()));
        parents.getOrDefault(type, Set.of()).forEach(parent -> all.addAll(inherited(parent)));
        return all;
    }
}
