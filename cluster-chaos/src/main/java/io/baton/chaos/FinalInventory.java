package io.baton.chaos;

import io.baton.Coordinator;
import io.baton.Item;
import io.baton.chaos.client.ClientArguments;
import io.baton.chaos.client.Counter;
import io.baton.chaos.history.EventKind;
import io.baton.chaos.history.HistoryFile;
import io.baton.chaos.servers.Servers;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Looks at what is in the store when all clients have gone, and notes it down. */
final class FinalInventory {

    private static final String WHO = "audit";
    private static final long POLL_MILLIS = 200;

    /** Sessions of killed clients end within their time, and as much again for a leader that is new. */
    private static final int TIMES_TTL = 3;

    private final Servers servers;
    private final HistoryFile notes;
    private final RunSettings settings;

    FinalInventory(Servers servers, HistoryFile notes, RunSettings settings) {
        this.servers = servers;
        this.notes = notes;
        this.settings = settings;
    }

    void run() throws InterruptedException {
        String uri =
                servers.uri(servers.members().stream().map(servers::address).toList());
        Duration ttl = settings.manning().ttl();
        long deadline = System.nanoTime() + ttl.multipliedBy(TIMES_TTL).toNanos();
        try (Coordinator baton = Coordinator.connect(uri)) {
            for (String lock : settings.locks()) {
                notes.note(WHO, EventKind.LEFT, "lock", lock, "entries", left(baton, lock, deadline));
                Counter counter = baton.records(ClientArguments.COUNTERS)
                        .get(lock)
                        .map(Item::text)
                        .map(Counter::parse)
                        .orElse(Counter.NONE);
                notes.note(WHO, EventKind.COUNTED, "lock", lock, "value", counter.value(), "write", counter.write());
            }
        }
    }

    /** How many entries there still are when there may be none any more. */
    private static int left(Coordinator baton, String lock, long deadline) throws InterruptedException {
        int entries = baton.lock(lock).queue().size();
        while (entries > 0 && System.nanoTime() - deadline < 0) {
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
            entries = baton.lock(lock).queue().size();
        }
        return entries;
    }
}
