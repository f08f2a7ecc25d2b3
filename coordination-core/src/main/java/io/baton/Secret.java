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
 * A password, or the place where one is kept.
 *
 * <p><b>Guarantees.</b> The value appears in no text that Baton writes: not in {@link #toString}, logs or exceptions.
 *
 * <p>Passwords, and the key stores that they open, can be renewed while the client runs. On etcd both are read for each
 * connection and each token. On ZooKeeper, key stores are read for each connection. A digest's password is
 * read once, when the store is made.
 */
public final class Secret {

    /** Reads the secret's value. The message of a failure names the place. */
    private interface Source {
        String read();
    }

    private static final Logger log = LoggerFactory.getLogger(Secret.class);

    /** Files for which a warning was logged: each is logged once, though it is read often. */
    private static final Set<Path> WARNED = ConcurrentHashMap.newKeySet();

    private final String origin;
    private final Source source;

    private Secret(String origin, Source source) {
        this.origin = origin;
        this.source = source;
    }

    /** Returns a secret with this value. Prefer the other factories: a value in the program's text is no secret. */
    public static Secret of(String value) {
        return new Secret("given in the program", () -> value);
    }

    /**
     * Returns the secret in this file, without trailing white space. A warning is logged if every user of the machine
     * may read the file.
     */
    public static Secret file(Path file) {
        return new Secret("in " + file, () -> content(file));
    }

    /** Returns the secret in this environment variable. */
    public static Secret environment(String variable) {
        return new Secret("in $" + variable, () -> {
            String value = System.getenv(variable);
            if (value == null) {
                throw new IllegalArgumentException("the environment variable " + variable + " is not set");
            }
            return value;
        });
    }

    /** Returns a secret with this value, from a source with this name for messages. */
    public static Secret from(String origin, String value) {
        return new Secret(origin, () -> value);
    }

    /** Returns a copy that keeps the present value. */
    public Secret kept() {
        return from(origin, reveal());
    }

    /**
     * Reads and returns the value, for a store to use. It must appear in no text.
     *
     * @throws IllegalArgumentException if the file cannot be read, or the environment variable is not set
     */
    public String reveal() {
        return source.read();
    }

    /** Returns the place where the secret is kept, not its value. */
    @Override
    public String toString() {
        return "Secret[" + origin + "]";
    }

    /**
     * Logs a warning, once per file, if every user of the machine may read this file with a secret. It is not refused:
     * orchestrators mount secrets with such permissions, into a file system that only the container sees.
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

    /** Describes an I/O failure, for which the JDK's message may be the file's name only. */
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
