package io.baton.cli;

import io.baton.CoordinatorOptions;
import java.time.Duration;

/** How commands connect that look or ask, and stand in no line themselves. */
public final class ReadOnlyConnection {

    /** A visitor leaves nothing in the store that would have to expire. Long enough for whatever tick the servers have. */
    private static final Duration TTL = Duration.ofSeconds(40);

    private static final Duration CLOSE = Duration.ofSeconds(2);

    private ReadOnlyConnection() {}

    /** Options of a client of this name, which waits no longer than this for the store. */
    public static CoordinatorOptions options(String client, Duration timeout) {
        return CoordinatorOptions.builder()
                .client(client)
                .ttl(TTL)
                .connectTimeout(timeout)
                .requestTimeout(timeout)
                .closeTimeout(CLOSE)
                .build();
    }
}
