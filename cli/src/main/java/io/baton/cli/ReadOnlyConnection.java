package io.baton.cli;

import io.baton.CoordinatorOptions;
import java.time.Duration;

/** Connection options of commands that only read or send requests, and join no line. */
public final class ReadOnlyConnection {

    /** Such a client leaves nothing in the store that has to expire. Long enough for any tick of the servers. */
    private static final Duration TTL = Duration.ofSeconds(40);

    private static final Duration CLOSE = Duration.ofSeconds(2);

    private ReadOnlyConnection() {}

    /** Options of a client with this name, which waits at most this long for the store. */
    public static CoordinatorOptions options(String client, Duration timeout) {
        return CoordinatorOptions.builder()
                .client(client)
                .ttl(TTL)
                .connectTimeout(timeout)
                .requestTimeout(timeout)
                .closeTimeout(CLOSE)
                .acceptLoss(true) // which the URI has declared
                .build();
    }
}
