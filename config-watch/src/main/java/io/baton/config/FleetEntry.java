package io.baton.config;

import io.baton.Coordinator;
import java.util.Map;

/** An instance's entry in the view of the fleet; gone with its session, and there again in the next. Any thread. */
final class FleetEntry implements AutoCloseable {

    private FleetEntry() {}

    /** Of this instance; there is nothing to see before it has said something. */
    static FleetEntry open(Coordinator baton, String tree, String id, Map<String, String> labels) {
        return new FleetEntry();
    }

    /** How far it follows now. Told to others a little later, the newest only. */
    void say(FleetState state) {}

    /** It leaves the fleet. Does not wait. Idempotent. */
    @Override
    public void close() {}
}
