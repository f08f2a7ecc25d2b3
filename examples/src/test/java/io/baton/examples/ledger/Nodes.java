package io.baton.examples.ledger;

import io.baton.testkit.server.Directories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** The service: its processes, by their ids. */
final class Nodes implements AutoCloseable {

    /** Notes down who was to be fenced, and leaves him alone: so it is on the store alone to refuse what he writes. */
    private static final String NOTE = "echo $1 >>$0";

    private final Map<String, NodeProcess> processes = new TreeMap<>();
    private final Stragglers stragglers = new Stragglers();
    private final String store;
    private final Duration ttl;
    private final Path fenced = Directories.temporary("ledger").resolve("fenced");

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
        processes.put(id, NodeProcess.start(store, ttl, id, List.of("sh", "-c", NOTE, fenced.toString())));
    }

    /** The ids of those who were fenced; once each who was fenced several times before the next one was active. */
    List<String> fenced() throws IOException {
        var ids = new ArrayList<String>();
        for (String id : Files.exists(fenced) ? Files.readAllLines(fenced) : List.<String>of()) {
            if (ids.isEmpty() || !ids.get(ids.size() - 1).equals(id)) {
                ids.add(id);
            }
        }
        return ids;
    }

    /** Kills them all. */
    @Override
    public void close() {
        processes.values().forEach(NodeProcess::close);
        Directories.delete(fenced.getParent());
    }
}
