package io.baton.cli.status;

import io.baton.spi.inspect.ClockReading;
import io.baton.spi.inspect.ServerState;
import io.baton.spi.inspect.SessionTimings;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * How a client of a store would do.
 *
 * @param uri the store's
 * @param asked the ttl that was asked for
 * @param servers each server of the URI
 * @param clock what the store's clock shows; empty if it does not say
 * @param session what the store granted; empty without contact
 * @param trouble why there is no contact; empty if there is
 */
record StoreStatus(
        String uri,
        Duration asked,
        List<ServerState> servers,
        Optional<ClockReading> clock,
        Optional<Granted> session,
        Optional<String> trouble) {

    /**
     * A session that was granted.
     *
     * @param id the store's name for it
     * @param timings the times that follow from its ttl
     */
    record Granted(String id, SessionTimings timings) {}
}
