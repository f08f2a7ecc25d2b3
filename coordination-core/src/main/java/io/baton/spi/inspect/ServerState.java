package io.baton.spi.inspect;

import java.time.Duration;
import java.util.Optional;

/**
 * The state of one server of a store.
 *
 * @param address its address, as in the store's URI
 * @param trouble why there is no contact with it, for people; empty if there is
 * @param role its role in its cluster, such as {@code leader}; empty if unknown
 * @param version the version it runs; empty if unknown
 * @param roundTrip the time from a request to its answer; empty without an answer
 */
public record ServerState(
        String address,
        Optional<String> trouble,
        Optional<String> role,
        Optional<String> version,
        Optional<Duration> roundTrip) {}
