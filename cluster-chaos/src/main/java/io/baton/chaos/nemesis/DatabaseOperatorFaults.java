package io.baton.chaos.nemesis;

import io.baton.chaos.history.Costs;
import io.baton.chaos.history.EventKind;
import io.baton.chaos.history.HistoryFile;
import io.baton.chaos.nemesis.Disruption.Struck;
import io.baton.chaos.servers.DatabaseServers;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

/** What comes of who runs a database: entries that are removed. */
final class DatabaseOperatorFaults {

    private static final String WHO = "operator";

    private final DatabaseServers servers;
    private final List<String> locks;
    private final Operations operations;
    private final HistoryFile notes;
    private final Random random;

    DatabaseOperatorFaults(
            DatabaseServers servers, List<String> locks, Operations operations, HistoryFile notes, Random random) {
        this.servers = servers;
        this.locks = locks;
        this.operations = operations;
        this.notes = notes;
        this.random = random;
    }

    /** One maker for each kind. */
    List<Supplier<Disruption>> makers() {
        return List.of(this::evicted);
    }

    private Disruption evicted() {
        String lock = locks.get(random.nextInt(locks.size()));
        return new Disruption("first entry evicted", Duration.ZERO, Costs.holdsOf(lock), () -> {
            operations.begin(() -> evict(lock));
            return new Struck(lock, () -> {});
        });
    }

    private void evict(String lock) {
        try {
            servers.evictFirst(lock, token -> notes.note(WHO, EventKind.EVICTING, "lock", lock, "token", token));
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }
}
