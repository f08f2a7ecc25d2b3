package io.baton.tck.sim.kernel;

import io.baton.Item;
import io.baton.RecordKey;
import io.baton.Revision;
import io.baton.spi.Claim;
import io.baton.spi.Entry;
import io.baton.spi.Line;
import io.baton.spi.Peer;
import io.baton.spi.kernel.StepWire.Standing;
import io.baton.spi.support.Downgrades;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * All that a simulated server stores. Its collections never change, and are replaced instead, so that a copy costs
 * nothing. A fail-over goes back to a former copy.
 */
final class StepState {

    /** A session, alive as long as it is stored. */
    record SessionRow(long epoch, long beat, long ttl, Map<Long, Boolean> verdicts) {

        SessionRow beaten(long now) {
            return new SessionRow(epoch, now, ttl, verdicts);
        }

        SessionRow nextEpoch() {
            return new SessionRow(epoch + 1, beat, ttl, verdicts);
        }

        SessionRow acknowledged(long n) {
            Map<Long, Boolean> open = new TreeMap<>(verdicts);
            open.keySet().removeIf(old -> old <= n);
            return new SessionRow(epoch, beat, ttl, open);
        }

        SessionRow decided(long n, boolean verdict) {
            return new SessionRow(epoch, beat, ttl, with(verdicts, n, verdict));
        }
    }

    /** The revision of a record. */
    record StepRevision(long order) implements Revision {}

    /** A change of a record. */
    record Change(long revision, RecordKey key) {}

    private Map<String, SessionRow> sessions = Map.of();
    private Map<String, List<Entry>> lines = Map.of();
    private Map<RecordKey, Item> records = Map.of();

    /** The latest changes. */
    private List<Change> changes = List.of();

    /** How many of the operations in the server's log are part of this state. */
    int logged;

    long lastToken;

    /** How often a line has changed. */
    long moves;

    long revision;
    long clock;
    long lookedAt;
    long quietUntil;
    String history = "0";

    StepState copy() {
        var copy = new StepState();
        copy.sessions = sessions;
        copy.lines = lines;
        copy.records = records;
        copy.changes = changes;
        copy.logged = logged;
        copy.lastToken = lastToken;
        copy.moves = moves;
        copy.revision = revision;
        copy.clock = clock;
        copy.lookedAt = lookedAt;
        copy.quietUntil = quietUntil;
        copy.history = history;
        return copy;
    }

    // ---- sessions

    Map<String, SessionRow> sessions() {
        return sessions;
    }

    void put(String session, SessionRow row) {
        sessions = with(sessions, session, row);
    }

    void removeSession(String session) {
        sessions = without(sessions, session);
    }

    // ---- records

    Map<RecordKey, Item> records() {
        return records;
    }

    List<Change> changes() {
        return changes;
    }

    void put(Item item) {
        records = with(records, item.key(), item);
    }

    void removeRecord(RecordKey key) {
        records = without(records, key);
    }

    void changed(RecordKey key, int kept) {
        List<Change> all = new ArrayList<>(changes);
        all.add(new Change(revision, key));
        changes = all.subList(Math.max(0, all.size() - kept), all.size());
    }

    // ---- lines

    List<Entry> entries() {
        return lines.values().stream().flatMap(List::stream).toList();
    }

    List<Entry> line(Line line) {
        return lines.getOrDefault(line.path(), List.of());
    }

    void put(Line line, List<Entry> entries) {
        moves++;
        lines = with(lines, line.path(), entries);
    }

    @Nullable
    Entry first(Line line) {
        List<Entry> entries = line(line);
        return entries.isEmpty() ? null : entries.get(0);
    }

    boolean stands(Peer peer) {
        return line(peer.line()).stream().anyMatch(entry -> entry.peer().equals(peer));
    }

    List<Standing> own(String session) {
        return entries().stream()
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
                isClear(line(peer.line()), peer),
                Downgrades.isMarked(entry.payload()));
    }

    /** The entries of a line that have no conflicting one ahead. */
    List<Entry> clear(Line line) {
        List<Entry> all = line(line);
        return all.stream().filter(entry -> isClear(all, entry.peer())).toList();
    }

    /** Whether a contender would be clear at the end of the line. */
    boolean isFree(Line line, Claim claim) {
        return isClear(line(line), new Peer(line, "", Long.MAX_VALUE, claim));
    }

    private static boolean isClear(List<Entry> line, Peer peer) {
        return line.stream()
                .takeWhile(ahead -> ahead.peer().order() < peer.order())
                .noneMatch(ahead -> peer.claim().conflictsWith(claim(ahead)));
    }

    /** What an entry claims now. */
    static Claim claim(Entry entry) {
        return Downgrades.isMarked(entry.payload())
                ? Claim.SHARED
                : entry.peer().claim();
    }

    private static <K, V> Map<K, V> with(Map<K, V> map, K key, V value) {
        Map<K, V> more = new LinkedHashMap<>(map);
        more.put(key, value);
        return more;
    }

    private static <K, V> Map<K, V> without(Map<K, V> map, K key) {
        Map<K, V> less = new LinkedHashMap<>(map);
        less.remove(key);
        return less;
    }
}
