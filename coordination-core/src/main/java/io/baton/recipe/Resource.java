package io.baton.recipe;

import io.baton.Dialect;
import io.baton.spi.Line;
import io.baton.spi.Names;

/**
 * What is contended for, and the line that its contenders stand in.
 *
 * @param kind {@code lock}, {@code election}, or another word
 * @param name what people call it
 * @param line where they stand
 */
public record Resource(String kind, String name, Line line) {

    private static final String LOCK = "lock";

    /** The lock of this name. */
    public static Resource lock(String name) {
        return named(LOCK, name);
    }

    /** The lock at exactly this path, with the names of this dialect. */
    public static Resource lockAt(String path, Dialect dialect) {
        return at(LOCK, path, dialect);
    }

    /** The one of this kind and name, among the store's own. */
    public static Resource named(String kind, String name) {
        return new Resource(kind, name, Line.of(tree(kind) + Names.encode(name)));
    }

    /** The one of this kind at exactly this path, with the names of this dialect. */
    public static Resource at(String kind, String path, Dialect dialect) {
        return new Resource(kind, path, Line.at(path, dialect));
    }

    /** Its name where resources of several kinds are told together. */
    public String label() {
        return kind.equals(LOCK) ? name : tree(kind) + name;
    }

    private static String tree(String kind) {
        return kind + "s/";
    }

    @Override
    public String toString() {
        return kind + " '" + name + "'";
    }
}
