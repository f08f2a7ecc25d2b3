package io.baton.etcd;

import io.baton.etcd.RequestWindow.Priority;
import io.baton.etcd.RequestWindow.Sender;
import io.baton.etcd.wire.EtcdWire.Code;
import io.baton.etcd.wire.EtcdWire.Fault;
import io.baton.etcd.wire.EtcdWire.Kv;
import io.baton.etcd.wire.EtcdWire.Range;
import io.baton.etcd.wire.EtcdWire.Request;
import io.baton.etcd.wire.EtcdWire.Result;
import io.baton.etcd.wire.EtcdWire.Txn;
import io.baton.spi.Loop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Checks periodically, with jitter, for events that servers have lost. It checks whether waiting places still have
 * their predecessors, whether observers have the first entry of their line, and the records of observed trees. For
 * places it reads single keys, many in one read, whatever the length of their lines. For a place behind an own entry it
 * reads only its own key. It makes one read for each observed line, and one for a part of each observed tree.
 */
final class Audit {

    private static final long EVERY_MILLIS = 30_000;

    /** The number of keys in one read. A server accepts 128 operations, and a place waits for at most 20 entries. */
    private static final int BATCH = 80;

    private final EtcdSession session;
    private final Set<LinePlace> places;
    private final Set<LineObservation> lines;
    private final Set<TreeObserver> trees;
    private Loop.@Nullable Timer timer;
    private RequestWindow.@Nullable Request last;

    Audit(EtcdSession session, Set<LinePlace> places, Set<LineObservation> lines, Set<TreeObserver> trees) {
        this.session = session;
        this.places = places;
        this.lines = lines;
        this.trees = trees;
    }

    /** Handles the first contact, or a reconnect. */
    void connected() {
        plan();
    }

    private void plan() {
        stop();
        long jittered = EVERY_MILLIS / 2 + Math.floorMod(session.loop().randomLong(), EVERY_MILLIS);
        timer = session.loop().after(Duration.ofMillis(jittered), this::run);
    }

    void stop() {
        if (timer != null) {
            timer.cancel();
        }
    }

    private void run() {
        plan();
        // A server so slow that the last round has not been sent gets no other one behind it.
        if (session.inContact() && (last == null || !last.queued())) {
            batches().forEach(batch -> inTurn(turn -> read(turn, batch)));
            Set<String> prefixes = new LinkedHashSet<>();
            lines.forEach(line -> prefixes.add(line.prefix()));
            prefixes.forEach(line -> inTurn(turn -> read(turn, line)));
            List.copyOf(trees).forEach(tree -> inTurn(turn -> read(turn, tree)));
        }
    }

    private void inTurn(Consumer<Sender> task) {
        last = session.window().request(this, Priority.LOW, () -> true, task);
        last.send();
    }

    // Places.

    private List<List<LinePlace>> batches() {
        List<List<LinePlace>> batches = new ArrayList<>();
        int size = BATCH;
        for (LinePlace place : places) {
            int keys = place.entriesAhead().auditedKeys().size();
            if (keys > 0 && size >= BATCH) {
                batches.add(new ArrayList<>());
                size = 0;
            }
            if (keys > 0) {
                batches.get(batches.size() - 1).add(place);
                size += keys;
            }
        }
        return batches;
    }

    private void read(Sender turn, List<LinePlace> batch) {
        Set<String> keys = new LinkedHashSet<>();
        batch.forEach(place -> keys.addAll(place.entriesAhead().auditedKeys()));
        if (!keys.isEmpty()) {
            List<Request> reads = new ArrayList<>();
            reads.add(Range.presence(session.ownKey()));
            keys.forEach(key -> reads.add(Range.presence(key)));
            turn.txn(new Txn(List.of(), reads, List.of()), (fault, result) -> placesRead(batch, keys, fault, result));
        }
    }

    private void placesRead(List<LinePlace> batch, Set<String> keys, Fault fault, @Nullable Result result) {
        if (result != null && session.ownKeyRead(result.parts().get(0))) {
            Map<String, Long> created = new HashMap<>();
            result.parts().forEach(part -> part.first().ifPresent(kv -> created.put(kv.key(), kv.created())));
            // A place that now waits for another entry was not audited.
            batch.stream()
                    .filter(place -> keys.containsAll(place.entriesAhead().auditedKeys()))
                    .forEach(place -> place.entriesAhead().audit(created));
        } else if (result == null && fault.code() != Code.LOST && fault.code() != Code.OVERLOADED) {
            batch.forEach(place -> place.entriesAhead().auditRefused());
        }
    }

    // Observers.

    private void read(Sender turn, String prefix) {
        turn.txn(Txn.read(Range.keysBelow(prefix)), (fault, result) -> {
            if (result != null) {
                long revision = result.header().revision();
                List<Kv> entries = result.parts().get(0).kvs();
                List.copyOf(lines).stream()
                        .filter(line -> line.prefix().equals(prefix))
                        .forEach(line -> line.audit(revision, entries));
            }
        });
    }

    private void read(Sender turn, TreeObserver tree) {
        KeyInventory.Question question = tree.question();
        turn.txn(question.txn(), (fault, result) -> {
            if (result != null && trees.contains(tree)) {
                tree.audit(question, result);
            }
        });
    }
}
