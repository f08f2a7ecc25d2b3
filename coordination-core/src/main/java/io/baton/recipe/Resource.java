package io.baton.recipe;

import io.baton.Dialect;
import io.baton.RecordKey;
import io.baton.spi.Line;
import io.baton.spi.Names;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A lock, an election or another resource, and the line of its contenders.
 *
 * @param kind {@code lock}, {@code election}, or another word
 * @param name its name for people
 * @param line the line of its contenders
 */
public record Resource(String kind, String name, Line line) {

    private static final String LOCK = "lock";
    private static final String READ_WRITE_LOCK = "read/write lock";

    /** Returns the lock of this name. */
    public static Resource lock(String name) {
        return named(LOCK, name);
    }

    /** Returns the lock at exactly this path, with entries named in this dialect. */
    public static Resource lockAt(String path, Dialect dialect) {
        return at(LOCK, path, dialect);
    }

    /** Returns the resource of this kind and name, below the store's root. */
    public static Resource named(String kind, String name) {
        return new Resource(kind, name, Line.of(tree(kind) + Names.encode(name)));
    }

    /** Returns the resource of this kind at exactly this path, with entries named in this dialect. */
    public static Resource at(String kind, String path, Dialect dialect) {
        return new Resource(kind, path, Line.at(path, dialect));
    }

    /** Returns the key of this resource's record in a tree of Baton's own. */
    public RecordKey record(String tree) {
        String path = line.exact() ? "at " + line.path() : line.path();
        return new RecordKey(tree, path.length() > Names.MAX_BYTES / 4 ? "sha256 " + sha256(path) : path);
    }

    private static String sha256(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Returns its name where resources of several kinds are reported together. */
    public String label() {
        return kind.equals(LOCK) ? name : tree(kind) + name;
    }

    /** Returns the read/write lock of this name. */
    public static Resource readWriteLock(String name) {
        return new Resource(READ_WRITE_LOCK, name, Line.of("rwlocks/" + Names.encode(name), Line.Kind.READ_WRITE));
    }

    /** Returns the read/write lock at exactly this path, with entries named in this dialect. */
    public static Resource readWriteLockAt(String path, Dialect dialect) {
        return new Resource(READ_WRITE_LOCK, path, Line.at(path, dialect, Line.Kind.READ_WRITE));
    }

    /** Returns the semaphore of this name, with the line in which its contenders queue. */
    public static Resource semaphore(String name) {
        return named("semaphore", name);
    }

    /** Returns the group of this name, whose line has members that wait for nobody. */
    public static Resource group(String name) {
        return new Resource("group", name, Line.of("baton.groups/" + Names.encode(name), Line.Kind.PERMITS));
    }

    /** Returns the barrier of this name, whose line has the parties that wait. They wait for no turn in the line. */
    public static Resource barrier(String name) {
        return new Resource("barrier", name, Line.of("baton.parties/" + Names.encode(name), Line.Kind.PERMITS));
    }

    /** Returns the double barrier of this name, whose line has the parties that wait to enter or are inside. */
    public static Resource doubleBarrier(String name) {
        return new Resource("double barrier", name, Line.of("baton.inside/" + Names.encode(name), Line.Kind.PERMITS));
    }

    private static String tree(String kind) {
        return (kind.equals(READ_WRITE_LOCK) ? "rwlock" : kind) + "s/";
    }

    @Override
    public String toString() {
        return kind + " '" + name + "'";
    }
}
