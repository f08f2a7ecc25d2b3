package io.baton.chaos.election;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/**
 * What a run is to be.
 *
 * @param store on which store
 * @param processes how many processes there are
 * @param candidates how many stand in each
 * @param ttl of their sessions
 * @param deeds how many terms are to end in which way
 * @param writes whether leaders write, and do not stop before a write is refused
 * @param folder where what the processes have told goes
 */
record ElectionSettings(
        SiteKind store,
        int processes,
        int candidates,
        Duration ttl,
        Map<Cause, Integer> deeds,
        boolean writes,
        Path folder) {

    int standing() {
        return processes * candidates;
    }
}
