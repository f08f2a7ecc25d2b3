package io.baton.tck.sim.kernel;

import io.baton.Item;
import io.baton.RecordKey;
import io.baton.Revision;
import io.baton.spi.Entry;
import io.baton.spi.Line;
import io.baton.spi.Peer;
import io.baton.spi.kernel.StepWire.Standing;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** All that a simulated server stores. A fail-over goes back to a former copy. */
final class StepState {

    /** A session, alive as long as it is stored. */
    static final class SessionRow {
        long epoch;
        long beat;
        final long ttl;
        final Map<Long, Boolean> verdicts = new TreeMap<>();

        SessionRow(long ttl) {
            this.ttl = ttl;
        }
    }

    /** The revision of a record. */
    record StepRevision(long order) implements Revision {}

    /** A change of a record; a missing item was deleted. */
    record Change(long revision, RecordKey key) {}

    final Map<String, SessionRow> sessions = new LinkedHashMap<>();
    final Map<String, List<Entry>> lines = new LinkedHashMap<>();
    final Map<RecordKey, Item> records = new LinkedHashMap<>();
    final List<Change> changes = new ArrayList<>();
    final Map<String, Integer> applied = new LinkedHashMap<>();
    long lastToken;
    long revision;
    long clock;
    long lookedAt;
    long quietUntil;
    String history = "0";

    StepState copy() {
        var copy = new StepState();
        sessions.forEach((id, row) -> {
            var same = new SessionRow(row.ttl);
            same.epoch = row.epoch;
            same.beat = row.beat;
            same.verdicts.putAll(row.verdicts);
            copy.sessions.put(id, same);
        });
        lines.forEach((path, entries) -> copy.lines.put(path, new ArrayList<>(entries)));
        copy.records.putAll(records);
        copy.changes.addAll(changes);
        copy.applied.putAll(applied);
        copy.lastToken = lastToken;
        copy.revision = revision;
        copy.clock = clock;
        copy.lookedAt = lookedAt;
        copy.quietUntil = quietUntil;
        copy.history = history;
        return copy;
    }

    List<Entry> line(Line line) {
        return lines.computeIfAbsent(line.path(), path -> new ArrayList<>());
    }

    @Nullable
    Entry first(String path) {
        List<Entry> entries = lines.getOrDefault(path, List.of());
        return entries.isEmpty() ? null : entries.get(0);
    }

    boolean stands(Peer peer) {
        return line(peer.line()).stream().anyMatch(entry -> entry.peer().equals(peer));
    }

    List<Standing> own(String session) {
        return lines.values().stream()
                .flatMap(List::stream)
                .filter(entry -> entry.session().equals(session))
                .map(this::standing)
                .toList();
    }

    Standing standing(Entry entry) {
        Peer peer = entry.peer();
        return new Standing(
                peer.line(),
                peer.name(),
                entry.token(),
                line(peer.line()).get(0).equals(entry),
                false);
    }
}
