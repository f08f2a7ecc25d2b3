package io.baton.tck.mutation;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A bug: one piece of text in a main source of Baton that is replaced by another.
 *
 * @param bug a description of the bug in plain words
 * @param source the path of the source, relative to the project's root
 * @param type the full name of the class in that file
 * @param right the original text, which must occur exactly once; white space between words is ignored
 * @param wrong the replacement
 */
public record Mutation(String bug, String source, String type, String right, String wrong) {

    /**
     * Creates a bug in a class of this module.
     *
     * @param module the module's directory
     * @param type a package below {@code io.baton} and a simple name; the class may be in a subpackage
     */
    public static Mutation in(String module, String type, String bug, String right, String wrong) {
        Path root = Copies.root();
        Path sources = root.resolve(module).resolve("src/main/java");
        int dot = type.lastIndexOf('.');
        String name = type.substring(dot + 1);
        Path below = sources.resolve("io/baton").resolve(type.substring(0, dot).replace('.', '/'));
        try (Stream<Path> files = Files.walk(below)) {
            List<Path> found =
                    files.filter(file -> file.endsWith(name + ".java")).toList();
            if (found.size() != 1) {
                throw new IllegalStateException("cannot plant '" + bug + "': " + name + " is " + found);
            }
            String source = sources.relativize(found.get(0)).toString();
            String full =
                    source.substring(0, source.length() - ".java".length()).replace(File.separatorChar, '.');
            return new Mutation(bug, root.relativize(found.get(0)).toString(), full, right, wrong);
        } catch (IOException unreadable) {
            throw new UncheckedIOException("cannot plant '" + bug + "'", unreadable);
        }
    }

    /**
     * Creates an object on copies of all Baton classes, which have this bug.
     *
     * @param type has a constructor without parameters
     * @param <T> a type of the JDK, as Baton's are copies as well
     * @throws IllegalStateException if the original text does not occur exactly once
     */
    public <T> T copyOf(Class<? extends T> type) {
        return Copies.of(type, SourceCompiler.compile(this.type, planted(Copies.root())));
    }

    /**
     * Returns the source with the bug in it.
     *
     * @throws IllegalStateException if the original text does not occur exactly once; the source has changed, and the
     *     bug has to be adapted
     */
    String planted(Path root) {
        String text;
        try {
            text = Files.readString(root.resolve(source));
        } catch (IOException unreadable) {
            throw new UncheckedIOException("cannot plant '" + bug + "'", unreadable);
        }
        Matcher found = Pattern.compile(
                        Stream.of(right.split("\\s+")).map(Pattern::quote).collect(Collectors.joining("\\s+")))
                .matcher(text);
        boolean there = found.find();
        int from = there ? found.start() : 0;
        int to = there ? found.end() : 0;
        if (!there || found.find()) {
            throw new IllegalStateException(
                    "cannot plant '" + bug + "': in " + source + " this has to stand exactly once," + " and "
                            + (there ? "stands several times" : "does not stand at all") + ":\n" + right);
        }
        return text.substring(0, from) + wrong + text.substring(to);
    }
}
