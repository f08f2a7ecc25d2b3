package io.baton.spi;

import io.baton.Telemetry.Request.Kind;
import io.baton.Telemetry.Request.Outcome;

/** Told what each request to the store costs, on the session's loop. */
public interface RequestListener {

    /**
     * A request was answered, or will never be. One that is under way when the session ends need not be told.
     *
     * @param tookNanos by the loop's clock, from sending the request to looking at its answer
     */
    void answered(Kind kind, Outcome outcome, long tookNanos);
}
