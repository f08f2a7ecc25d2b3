package io.baton.mutations;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Changes that change nothing anybody could see, as people have found. A line of the file says which class, what kind of
 * change, the how manieth of this kind in lines that read so, what the line reads, and why; separated by tabs.
 */
final class Equivalents {

    private final Set<String> keys;

    private Equivalents(Set<String> keys) {
        this.keys = keys;
    }

    static Equivalents in(Path file) throws IOException {
        if (!Files.exists(file)) {
            return new Equivalents(Set.of());
        }
        try (var lines = Files.lines(file)) {
            return new Equivalents(lines.filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .map(line -> line.split("\t"))
                    .peek(parts -> {
                        if (parts.length != 5) {
                            throw new IllegalArgumentException(
                                    "five parts, separated by tabs, are expected: " + String.join(" | ", parts));
                        }
                    })
                    .map(parts -> String.join("\t", parts[0], parts[1], parts[2], parts[3]))
                    .collect(Collectors.toSet()));
        }
    }

    boolean isKnown(Mutant mutant) {
        return keys.contains(mutant.key());
    }

    /** Those of these classes that are not among their changes any more. */
    List<String> outdated(Set<String> types, List<Mutant> mutants) {
        var left = new HashSet<String>(keys);
        mutants.forEach(each -> left.remove(each.key()));
        left.removeIf(key -> !types.contains(key.substring(0, key.indexOf('\t')).replaceAll("\\$.*", "")));
        return left.stream().sorted().toList();
    }
}
