package io.baton.spi;

import io.baton.Telemetry.Request.Kind;
import io.baton.Telemetry.Request.Outcome;

/** Receives the cost of each request to the store, on the session's loop. */
public interface RequestListener {

    /**
     * A request was answered, or will never be. A request under way when the session ends need not be reported.
     *
     * @param tookNanos nanoseconds by the loop's clock, from sending the request to handling its answer
     */
    void answered(Kind kind, Outcome outcome, long tookNanos);
}
