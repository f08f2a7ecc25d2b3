package io.baton.zookeeper.wire;

import java.net.URI;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The address of a store.
 *
 * @param hosts the servers in the client library's notation, {@code h1:2181,h2:2181}
 * @param chroot the path of Baton's tree, without a trailing slash; empty for the whole tree
 * @param tick the servers' {@code tickTime}, which the client protocol does not report
 * @param secure whether connections use TLS
 * @param create whether Baton creates a missing chroot
 */
public record ZkAddress(String hosts, String chroot, Duration tick, boolean secure, boolean create) {

    /** The URI scheme for plain text. */
    public static final String PLAIN = "zk";

    /** The URI scheme for TLS. */
    public static final String SECURE = "zks";

    private static final String EXAMPLE = "; it should look like zk://h1:2181,h2:2181/app?tick=2s";
    private static final Pattern SERVERS = Pattern.compile("[A-Za-z0-9_.\\-\\[\\]:]+(,[A-Za-z0-9_.\\-\\[\\]:]+)*");
    private static final Pattern PORT = Pattern.compile("(?:[^\\[\\]:]+|\\[[0-9a-fA-F:]+])(?::(\\d{1,5}))?");
    private static final Pattern TICK = Pattern.compile("(\\d{1,7})(ms|s)");
    private static final Set<String> OPTIONS = Set.of("tick", "create", "config");
    /** The servers' {@code tickTime} in ZooKeeper's sample configuration. */
    public static final Duration DEFAULT_TICK = Duration.ofSeconds(2);

    /** An address in plain text, whose chroot is created where it is missing. */
    public ZkAddress(String hosts, String chroot, Duration tick) {
        this(hosts, chroot, tick, false, true);
    }

    public static ZkAddress parse(URI uri) {
        String hosts = uri.getRawAuthority();
        if (hosts != null && hosts.contains("@")) {
            // The message does not quote the URI: it contains a secret.
            throw new IllegalArgumentException("cannot use a store URI with credentials in it, as every process list"
                    + " and log shows it; give them as BATON_ZK_DIGEST_USER and BATON_ZK_DIGEST_PASSWORD_FILE, or in a"
                    + " file with ?config=FILE" + EXAMPLE);
        }
        if (hosts == null || !SERVERS.matcher(hosts).matches()) {
            throw bad(uri, "no servers");
        }
        for (String host : hosts.split(",", -1)) {
            Matcher port = PORT.matcher(host);
            if (!port.matches() || (port.group(1) != null && !validPort(port.group(1)))) {
                throw bad(uri, "'" + host + "' is not host:port");
            }
        }
        Map<String, String> options = options(uri);
        boolean secure = SECURE.equalsIgnoreCase(uri.getScheme());
        return new ZkAddress(hosts, chroot(uri), tick(uri, options.get("tick")), secure, create(uri, options));
    }

    /** Returns the file with further settings that the URI names; empty without one. */
    public static Optional<Path> config(URI uri) {
        try {
            return Optional.ofNullable(options(uri).get("config")).map(Path::of);
        } catch (InvalidPathException impossible) {
            throw bad(uri, "config is not a path");
        }
    }

    /** Returns the full path of a path below the chroot. A path that begins with a slash is returned as it is. */
    public String path(String below) {
        return below.startsWith("/") ? below : chroot + "/" + below;
    }

    /** Returns the chroot as an absolute path; {@code /} for the whole tree. */
    public String root() {
        return chroot.isEmpty() ? "/" : chroot;
    }

    /** Returns a text for logs and messages, without secrets. */
    @Override
    public String toString() {
        return (secure ? SECURE : PLAIN) + "://" + hosts + chroot;
    }

    private static boolean validPort(String digits) {
        int port = Integer.parseInt(digits);
        return port > 0 && port < 65536;
    }

    /**
     * Returns this chroot without a trailing slash; empty for the whole tree.
     *
     * @throws IllegalArgumentException if it is not a valid chroot
     */
    public static String chroot(String path) {
        if (path.isEmpty() || path.equals("/")) {
            return "";
        }
        String chroot = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
        boolean absolute = chroot.startsWith("/");
        for (String segment : chroot.substring(1).split("/", -1)) {
            boolean reserved = segment.isEmpty() || segment.equals(".") || segment.equals("..");
            if (!absolute || reserved || segment.chars().anyMatch(Character::isISOControl)) {
                throw new IllegalArgumentException("the chroot '" + path + "' has an empty or forbidden segment");
            }
        }
        if (chroot.equals("/zookeeper") || chroot.startsWith("/zookeeper/")) {
            throw new IllegalArgumentException("/zookeeper is the server's own tree");
        }
        return chroot;
    }

    /**
     * Returns this tick unchanged.
     *
     * @throws IllegalArgumentException if it is below 1 ms or above 60 s
     */
    public static Duration tick(Duration tick) {
        if (tick.toMillis() < 1 || tick.compareTo(Duration.ofMinutes(1)) > 0) {
            throw new IllegalArgumentException("tick must be between 1ms and 60s");
        }
        return tick;
    }

    private static String chroot(URI uri) {
        try {
            return chroot(uri.getPath() == null ? "" : uri.getPath());
        } catch (IllegalArgumentException wrong) {
            throw bad(uri, String.valueOf(wrong.getMessage()));
        }
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
                throw bad(uri, "the options are tick=2s, create=no and config=FILE, once each, not '" + name + "'");
            }
        }
        return options;
    }

    private static boolean create(URI uri, Map<String, String> options) {
        return switch (options.getOrDefault("create", "yes")) {
            case "yes" -> true;
            case "no" -> false;
            default -> throw bad(uri, "create must be yes or no");
        };
    }

    private static Duration tick(URI uri, @Nullable String given) {
        if (given == null) {
            return DEFAULT_TICK;
        }
        Matcher matcher = TICK.matcher(given);
        if (!matcher.matches()) {
            throw bad(uri, "tick is written as tick=2s or tick=500ms");
        }
        long number = Long.parseLong(matcher.group(1));
        Duration tick = matcher.group(2).equals("s") ? Duration.ofSeconds(number) : Duration.ofMillis(number);
        try {
            return tick(tick);
        } catch (IllegalArgumentException wrong) {
            throw bad(uri, String.valueOf(wrong.getMessage()));
        }
    }

    private static IllegalArgumentException bad(URI uri, String why) {
        return new IllegalArgumentException("cannot use the store URI '" + uri + "': " + why + EXAMPLE);
    }
}
