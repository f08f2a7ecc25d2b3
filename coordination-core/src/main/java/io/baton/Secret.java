package io.baton;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A password, or where one is kept.
 *
 * <p><b>Guarantees.</b> It appears in no text that Baton writes: not in {@link #toString}, logs or exceptions.
 * Passwords, and the key stores that they open, are read anew while the client runs, so that they can be renewed: on etcd
 * for each connection and each token, on ZooKeeper stores for each connection, and passwords for each session.
 */
public final class Secret {

    /** Gives the secret's value; the message of a failure says where it was looked for. */
    private interface Source {
        String read();
    }

    private static final Logger log = LoggerFactory.getLogger(Secret.class);

    /** Files that were warned of; a file is read again and again. */
    private static final Set<Path> WARNED = ConcurrentHashMap.newKeySet();

    private final String origin;
    private final Source source;

    private Secret(String origin, Source source) {
        this.origin = origin;
        this.source = source;
    }

    /** This very value. Prefer the others: a value in the program's text is no secret. */
    public static Secret of(String value) {
        return new Secret("given in the program", () -> value);
    }

    /** What the file holds, without a line break at its end. A file that everybody may read is warned of. */
    public static Secret file(Path file) {
        return new Secret("in " + file, () -> content(file));
    }

    /** The value of this environment variable. */
    public static Secret environment(String variable) {
        return new Secret("in $" + variable, () -> {
            String value = System.getenv(variable);
            if (value == null) {
                throw new IllegalArgumentException("the environment variable " + variable + " is not set");
            }
            return value;
        });
    }

    /** The value from a source that keeps itself up to date. */
    public static Secret from(String origin, String value) {
        return new Secret(origin, () -> value);
    }

    /** The same with its value as it is now. */
    public Secret kept() {
        return from(origin, reveal());
    }

    /** The value itself, for a store to use: it belongs into no text. */
    public String reveal() {
        return source.read();
    }

    /** Where it is kept, not what it is. */
    @Override
    public String toString() {
        return "Secret[" + origin + "]";
    }

    /**
     * Warns of a file with a secret in it that everybody on the machine may read. Not refused: orchestrators mount
     * secrets that way, into a file system of their own that nobody else sees.
     */
    public static void warnIfReadableByAll(Path file) {
        try {
            Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
            if (permissions.contains(PosixFilePermission.OTHERS_READ) && WARNED.add(file)) {
                log.warn("Everybody on this machine may read the secret in {}; 'chmod o-r' it", file);
            }
        } catch (IOException | UnsupportedOperationException unknown) {
            log.debug("Cannot tell who may read {}", file);
        }
    }

    private static String content(Path file) {
        try {
            String content = Files.readString(file, StandardCharsets.UTF_8);
            warnIfReadableByAll(file);
            return content.stripTrailing();
        } catch (IOException unreadable) {
            throw new IllegalArgumentException("cannot read the secret in " + file + ": " + reason(unreadable));
        }
    }

    /** What an I/O failure says, which for a missing file is no more than its name. */
    public static String reason(IOException failure) {
        String kind = failure.getClass().getSimpleName();
        return switch (kind) {
            case "NoSuchFileException" -> "there is no such file";
            case "AccessDeniedException" -> "this process may not read it";
            case "MalformedInputException" -> "it is not UTF-8 text";
            default -> kind + ": " + failure.getMessage();
        };
    }
}
