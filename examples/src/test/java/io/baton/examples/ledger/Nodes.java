package io.baton.examples.ledger;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** The service: its processes, by their ids. */
final class Nodes implements AutoCloseable {

    private final Map<String, NodeProcess> processes = new TreeMap<>();
    private final Stragglers stragglers = new Stragglers();
    private final String store;
    private final Duration ttl;

    /** Starts them. */
    Nodes(String store, Duration ttl, int count) throws IOException, InterruptedException {
        this.store = store;
        this.ttl = ttl;
        for (int number = 1; number <= count; number++) {
            restart("node-" + number);
        }
    }

    NodeProcess get(String id) {
        return Objects.requireNonNull(processes.get(id), id);
    }

    Stragglers stragglers() {
        return stragglers;
    }

    /** Starts one, under the id of one that has ended. */
    void restart(String id) throws IOException, InterruptedException {
        processes.put(id, NodeProcess.start(store, ttl, id));
    }

    /** Kills them all. */
    @Override
    public void close() {
        processes.values().forEach(NodeProcess::close);
    }
}
