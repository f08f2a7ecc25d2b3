package io.baton.chaos;

import io.baton.chaos.client.LockNames;
import io.baton.chaos.fleet.ClientPlan;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * What a run is to be.
 *
 * @param length for how long there are faults
 * @param bound how long it may take until every lock is granted again once all is well
 * @param manning who the clients are
 * @param faults words of which the kinds of faults have to hold one; none for all kinds
 * @param folder where the histories go
 */
record RunSettings(
        StoreKind store, Duration length, Duration bound, ClientPlan manning, List<String> faults, Path folder) {

    /** Whether there are to be faults of this kind. */
    boolean wants(String kind) {
        return faults.isEmpty() || faults.stream().anyMatch(kind::contains);
    }

    LockNames names() {
        return new LockNames(manning.locks());
    }

    long seed() {
        return manning.seed();
    }
}
