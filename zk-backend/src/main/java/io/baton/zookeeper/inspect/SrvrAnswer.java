package io.baton.zookeeper.inspect;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A server's answer to the four-letter word {@code srvr}. Since 3.5.3, servers answer it regardless of their whitelist.
 *
 * @param version for example {@code 3.9.5}
 * @param mode {@code leader}, {@code follower}, {@code observer}, {@code standalone} or {@code read-only}
 * @param connections the number of its connections from all clients
 */
public record SrvrAnswer(String version, String mode, int connections) {

    private static final Pattern VERSION = Pattern.compile("(?m)^Zookeeper version: (\\d+(?:\\.\\d+)+)");
    private static final Pattern MODE = Pattern.compile("(?m)^Mode: (\\S+)$");
    private static final Pattern CONNECTIONS = Pattern.compile("(?m)^Connections: (\\d{1,9})$");

    /** Parses an answer; empty if the server does not serve or may not answer. */
    public static Optional<SrvrAnswer> parse(String text) {
        Matcher version = VERSION.matcher(text);
        Matcher mode = MODE.matcher(text);
        Matcher connections = CONNECTIONS.matcher(text);
        return version.find() && mode.find() && connections.find()
                ? Optional.of(new SrvrAnswer(
                        version.group(1),
                        mode.group(1).toLowerCase(Locale.ROOT),
                        Integer.parseInt(connections.group(1))))
                : Optional.empty();
    }

    /** Whether its version is this one or a later one. */
    boolean atLeast(int major, int minor) {
        String[] parts = version.split("\\.", -1);
        int first = Integer.parseInt(parts[0]);
        return first > major || (first == major && Integer.parseInt(parts[1]) >= minor);
    }
}
