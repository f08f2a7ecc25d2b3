package io.baton.zookeeper.inspect;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A server's configuration, from the four-letter word {@code conf} or its admin server.
 *
 * @param tick its tickTime
 * @param maxClientCnxns its limit of connections from one address; zero is unlimited
 */
public record ServerConf(Duration tick, OptionalInt maxClientCnxns) {

    private static final Pattern TICK = Pattern.compile("(?m)^tickTime=(\\d{1,9})$|\"tick_time\"\\s*:\\s*(\\d{1,9})");
    private static final Pattern CONNECTIONS =
            Pattern.compile("(?m)^maxClientCnxns=(\\d{1,9})$|\"max_client_cnxns\"\\s*:\\s*(\\d{1,9})");

    /** Parses an answer; empty if the server may not answer. */
    public static Optional<ServerConf> parse(String text) {
        OptionalInt tick = number(TICK, text);
        return tick.isPresent()
                ? Optional.of(new ServerConf(Duration.ofMillis(tick.getAsInt()), number(CONNECTIONS, text)))
                : Optional.empty();
    }

    private static OptionalInt number(Pattern pattern, String text) {
        Matcher found = pattern.matcher(text);
        return found.find()
                ? OptionalInt.of(Integer.parseInt(found.group(1) != null ? found.group(1) : found.group(2)))
                : OptionalInt.empty();
    }
}
