package io.baton.chaos;

import io.baton.Coordinator;
import io.baton.DistributedSemaphore;
import io.baton.Item;
import io.baton.SemaphoreView;
import io.baton.chaos.client.ClientArguments;
import io.baton.chaos.client.CounterValue;
import io.baton.chaos.client.LockNames;
import io.baton.chaos.client.RecipeNames;
import io.baton.chaos.history.EventKind;
import io.baton.chaos.history.HistoryFile;
import io.baton.chaos.servers.Servers;
import io.baton.recipes.Counter;
import io.baton.recipes.Group;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Looks at what is in the store when all clients have gone, and notes it down. */
final class FinalInventory {

    private static final String WHO = "audit";
    private static final long POLL_MILLIS = 200;

    /** Sessions of killed clients end within their time, and as much again for a leader that is new. */
    private static final int TIMES_TTL = 3;

    private interface Look {
        int entries() throws InterruptedException;
    }

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
        LockNames names = settings.names();
        try (Coordinator baton = Coordinator.connect(uri)) {
            for (String lock : names.allLocks()) {
                left(lock, () -> baton.lock(lock).queue().size(), deadline);
                count(baton, lock);
            }
            for (String lock : names.readWriteLocks()) {
                left(lock, () -> baton.readWriteLock(lock).queue().size(), deadline);
                count(baton, lock);
            }
            for (String seat : RecipeNames.seatLocks()) {
                left(seat, () -> baton.lock(seat).queue().size(), deadline);
                count(baton, seat);
            }
            left(
                    RecipeNames.SEATS,
                    () -> entries(baton.semaphore(RecipeNames.SEATS, RecipeNames.NUMBER_OF_SEATS)),
                    deadline);
            left(
                    "the group",
                    () -> Group.named(baton, RecipeNames.GROUP)
                            .members()
                            .members()
                            .size(),
                    deadline);
            left(
                    RecipeNames.SERVING,
                    () -> baton.lock(RecipeNames.SERVING).queue().size(),
                    deadline);
            notes.note(
                    WHO,
                    EventKind.SUMMED,
                    "value",
                    Counter.named(baton, RecipeNames.COUNTER).get());
            for (var semaphore : names.semaphores().entrySet()) {
                left(
                        semaphore.getKey(),
                        () -> entries(baton.semaphore(semaphore.getKey(), semaphore.getValue())),
                        deadline);
            }
        }
    }

    private static int entries(DistributedSemaphore semaphore) throws InterruptedException {
        SemaphoreView view = semaphore.view();
        return view.holders().size() + view.waiting().size();
    }

    /** How many entries there still are when there may be none any more. */
    private void left(String name, Look look, long deadline) throws InterruptedException {
        int entries = look.entries();
        while (entries > 0 && System.nanoTime() - deadline < 0) {
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
            entries = look.entries();
        }
        notes.note(WHO, EventKind.LEFT, "lock", name, "entries", entries);
    }

    private void count(Coordinator baton, String lock) throws InterruptedException {
        CounterValue counter = baton.records(ClientArguments.COUNTERS)
                .get(lock)
                .map(Item::text)
                .map(CounterValue::parse)
                .orElse(CounterValue.NONE);
        notes.note(WHO, EventKind.COUNTED, "lock", lock, "value", counter.value(), "write", counter.write());
    }
}
