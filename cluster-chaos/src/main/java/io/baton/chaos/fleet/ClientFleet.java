package io.baton.chaos.fleet;

import io.baton.chaos.history.HistoryFile;
import io.baton.chaos.history.HistoryFolder;
import io.baton.chaos.servers.FakeTime;
import io.baton.chaos.servers.Servers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** All client processes. */
public final class ClientFleet implements AutoCloseable {

    private final List<ProcessSlot> berths = new ArrayList<>();

    /**
     * Starts them.
     *
     * @param notes where deaths are noted down
     */
    public ClientFleet(
            ClientPlan manning, Servers servers, Optional<FakeTime> faketime, HistoryFolder folder, HistoryFile notes) {
        try {
            for (int number = 1; number <= manning.processes(); number++) {
                ProcessSlot berth = new ProcessSlot(number, manning, servers, faketime, folder, notes);
                berths.add(berth);
                berth.start();
            }
        } catch (RuntimeException broken) {
            close();
            throw broken;
        }
    }

    /** Where they are. */
    public List<ProcessSlot> berths() {
        return List.copyOf(berths);
    }

    /** All networks are as they should be. */
    public void heal() {
        berths.forEach(ProcessSlot::heal);
    }

    /** Tells all to end, and waits until they have. */
    public void finish(Duration patience) throws InterruptedException {
        berths.forEach(ProcessSlot::tellToStop);
        long deadline = System.nanoTime() + patience.toNanos();
        for (ProcessSlot berth : berths) {
            berth.awaitEnd(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
        }
    }

    /** Kills them all. */
    @Override
    public void close() {
        berths.forEach(ProcessSlot::close);
    }
}
