package io.baton.internal.line;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A contender's description of itself, for people who read a queue: lines of {@code key=value} in UTF-8. Entries of
 * other programs hold anything; fields that cannot be understood stay empty.
 */
public record EntryInfo(String client, String host, long pid, Optional<Instant> since) {

    private static final int MAX_CHARS = 300;

    /** The longest host name in the name of a process; longer ones are cut. */
    static final int MAX_HOST_CHARS = 100;

    /** Null until it has been looked up; empty if this machine does not know it. */
    private static volatile @Nullable String thisHost;

    /** Returns this process. May ask the name service for the host's name, which may be slow, until it is known. */
    public static EntryInfo ofThisProcess(String client) {
        return new EntryInfo(client, thisHost(), ProcessHandle.current().pid(), Optional.empty());
    }

    /** Returns a name of this process, such as {@code web-1-4711}: its host and pid, and none of its arguments. */
    public static String thisProcess() {
        return processName(thisHost(), ProcessHandle.current().pid());
    }

    static String processName(String host, long pid) {
        String known = host.isEmpty() ? "process" : host;
        return known.substring(0, Math.min(known.length(), MAX_HOST_CHARS)) + "-" + pid;
    }

    public EntryInfo since(long wallMillis) {
        return new EntryInfo(client, host, pid, Optional.of(Instant.ofEpochMilli(wallMillis)));
    }

    public byte[] encode() {
        String since = since().map(at -> "since=" + at.toEpochMilli() + "\n").orElse("");
        return ("client=" + client + "\nhost=" + host + "\npid=" + pid + "\n" + since).getBytes(StandardCharsets.UTF_8);
    }

    public static EntryInfo decode(byte[] payload) {
        String client = "";
        String host = "";
        long pid = 0;
        Optional<Instant> since = Optional.empty();
        for (String line : new String(payload, StandardCharsets.UTF_8).split("\n", -1)) {
            int equals = line.indexOf('=');
            String value = line.substring(equals + 1);
            switch (line.substring(0, Math.max(0, equals))) {
                case "client" -> client = printable(value);
                case "host" -> host = printable(value);
                case "pid" -> pid = number(value).orElse(0L);
                case "since" -> since = number(value).map(Instant::ofEpochMilli);
                default -> {}
            }
        }
        return new EntryInfo(client, host, pid, since);
    }

    private static Optional<Long> number(String text) {
        try {
            return Optional.of(Long.parseLong(text));
        } catch (NumberFormatException foreign) {
            return Optional.empty();
        }
    }

    private static String printable(String text) {
        StringBuilder out = new StringBuilder();
        text.codePoints().limit(MAX_CHARS).forEach(c -> out.appendCodePoint(Character.isISOControl(c) ? '?' : c));
        return out.toString();
    }

    private static String thisHost() {
        String known = thisHost;
        if (known == null) {
            known = hostName();
            thisHost = known;
        }
        return known;
    }

    private static String hostName() {
        String told = System.getenv("HOSTNAME");
        if (told != null && !told.isBlank()) {
            return printable(told);
        }
        try {
            return printable(InetAddress.getLocalHost().getHostName());
        } catch (UnknownHostException nameless) {
            return "";
        }
    }
}
