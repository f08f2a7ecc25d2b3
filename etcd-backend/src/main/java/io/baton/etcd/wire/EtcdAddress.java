package io.baton.etcd.wire;

import io.baton.spi.Line;
import io.baton.spi.Names;
import java.net.URI;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The address of a store.
 *
 * @param hosts the members, in the order given
 * @param root the prefix of all Baton's keys, without a trailing slash; empty for none
 * @param secure whether connections use TLS
 */
public record EtcdAddress(List<Host> hosts, String root, boolean secure) {

    /** The URI scheme for plain text. */
    public static final String PLAIN = "etcd";

    /** The URI scheme for TLS. */
    public static final String SECURE = "etcds";

    private static final String SESSIONS = ".sessions";

    /** What holds mutexes, one below each name, at which an exact path may stand. */
    private static final Set<String> MUTEXES = Set.of("locks", "elections");

    /** Trees of records, with those named {@code baton.states} or {@code config.history}. */
    private static final Set<String> OWN_TREES = Set.of("config", "baton");

    private static final String EXAMPLE = "; it should look like etcd://h1:2379,h2:2379/app";
    private static final int DEFAULT_PORT = 2379;
    private static final Pattern HOST = Pattern.compile("(?:([A-Za-z0-9_.\\-]+)|\\[([0-9a-fA-F:.]+)])(?::(\\d{1,5}))?");
    private static final Set<String> OPTIONS = Set.of("config");

    /** A member's client address. */
    record Host(String name, int port) {

        @Override
        public String toString() {
            return (name.contains(":") ? "[" + name + "]" : name) + ":" + port;
        }
    }

    public static EtcdAddress parse(URI uri) {
        String authority = uri.getRawAuthority();
        if (authority != null && authority.contains("@")) {
            // The message does not quote the URI: it contains a secret.
            throw new IllegalArgumentException("cannot use a store URI with credentials in it, as every process list"
                    + " and log shows it; give them as BATON_ETCD_USER and BATON_ETCD_PASSWORD_FILE, or in a"
                    + " file with ?config=FILE" + EXAMPLE);
        }
        if (authority == null) {
            throw bad(uri, "no servers");
        }
        var hosts = new ArrayList<Host>();
        for (String host : authority.split(",", -1)) {
            hosts.add(host(uri, host));
        }
        options(uri);
        return new EtcdAddress(List.copyOf(hosts), root(uri), SECURE.equalsIgnoreCase(uri.getScheme()));
    }

    /** Returns the file with further settings that the URI names; empty without one. */
    public static Optional<Path> config(URI uri) {
        try {
            return Optional.ofNullable(options(uri).get("config")).map(Path::of);
        } catch (InvalidPathException impossible) {
            throw bad(uri, "config is not a path");
        }
    }

    /** Returns the full key of a key below the root. */
    public String key(String below) {
        return root + "/" + below;
    }

    /** Returns the prefix of a line's keys, without the trailing slash. An exact path is its own prefix. */
    public String key(Line line) {
        return line.exact() ? line.path() : key(line.path());
    }

    /** Returns the session's own key, which ends with its lease id in hexadecimal. */
    public String sessionKey(long lease) {
        return key(SESSIONS + "/" + Long.toHexString(lease));
    }

    /**
     * Whether keys below this line's exact path are, or may be, sessions, records, or entries of several lines of Baton,
     * or of one line of another kind.
     */
    public boolean holdsOwnKeys(Line line) {
        String path = line.path();
        if (key("").startsWith(path + "/")) {
            return true;
        } else if (!path.startsWith(key(""))) {
            return false;
        }
        String below = path.substring(key("").length());
        String tree = below.substring(0, (below + "/").indexOf('/'));
        boolean mutex = line.kind() == Line.Kind.MUTEX && MUTEXES.contains(tree) && !below.equals(tree);
        return tree.equals(SESSIONS)
                || OWN_TREES.stream().anyMatch(own -> (tree + ".").startsWith(own + "."))
                || (Names.holdsLines(tree) && !mutex);
    }

    /** Returns a text for logs and messages, without secrets. */
    @Override
    public String toString() {
        return hosts.stream()
                .map(Host::toString)
                .collect(Collectors.joining(",", (secure ? SECURE : PLAIN) + "://", root));
    }

    private static Host host(URI uri, String text) {
        Matcher matcher = HOST.matcher(text);
        if (!matcher.matches()) {
            throw bad(uri, "'" + text + "' is not host:port");
        }
        int port = matcher.group(3) == null ? DEFAULT_PORT : Integer.parseInt(matcher.group(3));
        if (port < 1 || port > 65535) {
            throw bad(uri, "'" + text + "' is not host:port");
        }
        return new Host(matcher.group(1) == null ? matcher.group(2) : matcher.group(1), port);
    }

    private static String root(URI uri) {
        String path = uri.getPath() == null ? "" : uri.getPath();
        String root = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
        if (!root.isEmpty()) {
            for (String segment : root.substring(1).split("/", -1)) {
                boolean reserved = segment.isEmpty() || segment.equals(".") || segment.equals("..");
                if (reserved || segment.chars().anyMatch(Character::isISOControl)) {
                    throw bad(uri, "the path '" + path + "' has an empty or forbidden segment");
                }
            }
        }
        return root;
    }

    private static Map<String, String> options(URI uri) {
        var options = new HashMap<String, String>();
        if (uri.getQuery() == null) {
            return options;
        }
        for (String option : uri.getQuery().split("&", -1)) {
            int equals = option.indexOf('=');
            String name = equals < 0 ? option : option.substring(0, equals);
            if (equals < 0 || !OPTIONS.contains(name) || options.put(name, option.substring(equals + 1)) != null) {
                throw bad(uri, "the only option is config=FILE, once, not '" + name + "'");
            }
        }
        return options;
    }

    private static IllegalArgumentException bad(URI uri, String why) {
        return new IllegalArgumentException("cannot use the store URI '" + uri + "': " + why + EXAMPLE);
    }
}
