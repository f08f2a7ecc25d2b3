package io.baton.examples.ledger;

import io.baton.testkit.server.Directories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** The service: its processes, by their ids. */
final class Nodes implements AutoCloseable {

    /** Notes down who was to be fenced, and leaves him alone: so it is on the store alone to refuse what he writes. */
    private static final String NOTE = "echo $3 $1 >>$0";

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

    /** Those who were fenced, as term and id; once each, as one is fenced again if the next one goes before it is active. */
    List<String> fenced() throws IOException {
        return Files.exists(fenced)
                ? Files.readAllLines(fenced).stream().distinct().toList()
                : List.of();
    }

    /** Kills them all. */
    @Override
    public void close() {
        processes.values().forEach(NodeProcess::close);
        Directories.delete(fenced.getParent());
    }
}
