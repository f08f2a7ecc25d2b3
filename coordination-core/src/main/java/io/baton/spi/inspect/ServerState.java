package io.baton.spi.inspect;

import java.time.Duration;
import java.util.Optional;

/**
 * A server of a store.
 *
 * @param address as the store's URI names it
 * @param trouble why it gives no contact, for people; empty if it does
 * @param role what it is in its cluster, as {@code leader}; empty if it does not say
 * @param version which version it runs; empty if it does not say
 * @param roundTrip how long a question and its answer took; empty without an answer
 */
public record ServerState(
        String address,
        Optional<String> trouble,
        Optional<String> role,
        Optional<String> version,
        Optional<Duration> roundTrip) {}
