package io.baton.cli.status;

import io.baton.spi.inspect.ClockReading;
import io.baton.spi.inspect.ServerState;
import io.baton.spi.inspect.SessionTimings;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The status of a store, as a client sees it.
 *
 * @param uri the store's URI
 * @param asked the requested ttl
 * @param servers each server of the URI
 * @param clock the time of the store's clock; empty if it is not known
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
     * @param id the session's id in the store
     * @param timings the times that follow from its ttl
     */
    record Granted(String id, SessionTimings timings) {}
}
