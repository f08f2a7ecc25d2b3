package io.baton.zookeeper;

import java.net.URI;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a store lies.
 *
 * @param hosts servers as the client library takes them, {@code h1:2181,h2:2181}
 * @param chroot path of the tree that is ours, without a slash at the end; empty for the whole tree
 * @param tick the servers' tickTime, which they do not tell
 */
record ZkAddress(String hosts, String chroot, Duration tick) {

    private static final String EXAMPLE = "; it should look like zk://h1:2181,h2:2181/app?tick=2s";
    private static final Pattern SERVERS = Pattern.compile("[A-Za-z0-9_.\\-\\[\\]:]+(,[A-Za-z0-9_.\\-\\[\\]:]+)*");
    private static final Pattern PORT = Pattern.compile("(?:[^\\[\\]:]+|\\[[0-9a-fA-F:]+])(?::(\\d{1,5}))?");
    private static final Pattern TICK = Pattern.compile("tick=(\\d{1,7})(ms|s)");
    private static final Duration DEFAULT_TICK = Duration.ofSeconds(2);

    static ZkAddress parse(URI uri) {
        String hosts = uri.getRawAuthority();
        if (hosts == null || !SERVERS.matcher(hosts).matches()) {
            throw bad(uri, hosts != null && hosts.contains("@") ? "credentials do not belong in it" : "no servers");
        }
        for (String host : hosts.split(",", -1)) {
            Matcher port = PORT.matcher(host);
            if (!port.matches() || (port.group(1) != null && !validPort(port.group(1)))) {
                throw bad(uri, "'" + host + "' is not host:port");
            }
        }
        return new ZkAddress(hosts, chroot(uri), tick(uri));
    }

    /** The full path of something below the chroot; what begins with a slash is where it says. */
    String path(String below) {
        return below.startsWith("/") ? below : chroot + "/" + below;
    }

    /** The chroot as a path of its own. */
    String root() {
        return chroot.isEmpty() ? "/" : chroot;
    }

    private static boolean validPort(String digits) {
        int port = Integer.parseInt(digits);
        return port > 0 && port < 65536;
    }

    private static String chroot(URI uri) {
        String path = uri.getPath();
        if (path == null || path.isEmpty() || path.equals("/")) {
            return "";
        }
        String chroot = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
        for (String segment : chroot.substring(1).split("/", -1)) {
            boolean reserved = segment.isEmpty() || segment.equals(".") || segment.equals("..");
            if (reserved || segment.chars().anyMatch(Character::isISOControl)) {
                throw bad(uri, "the chroot '" + path + "' has an empty or forbidden segment");
            }
        }
        if (chroot.equals("/zookeeper") || chroot.startsWith("/zookeeper/")) {
            throw bad(uri, "/zookeeper is the server's own tree");
        }
        return chroot;
    }

    private static Duration tick(URI uri) {
        String query = uri.getRawQuery();
        if (query == null) {
            return DEFAULT_TICK;
        }
        Matcher matcher = TICK.matcher(query);
        if (!matcher.matches()) {
            throw bad(uri, "the only option is tick, as tick=2s or tick=500ms, not '" + query + "'");
        }
        long number = Long.parseLong(matcher.group(1));
        Duration tick = matcher.group(2).equals("s") ? Duration.ofSeconds(number) : Duration.ofMillis(number);
        if (tick.isZero() || tick.compareTo(Duration.ofMinutes(1)) > 0) {
            throw bad(uri, "tick must be between 1ms and 60s");
        }
        return tick;
    }

    private static IllegalArgumentException bad(URI uri, String why) {
        return new IllegalArgumentException("cannot use the store URI '" + uri + "': " + why + EXAMPLE);
    }
}
