package io.baton.tck.sim.recipes;

import io.baton.Item;
import io.baton.Op;
import io.baton.RecordKey;
import io.baton.Revision;
import io.baton.SessionLostException;
import io.baton.spi.Claim;
import io.baton.spi.Condition;
import io.baton.spi.Entry;
import io.baton.spi.Line;
import io.baton.spi.Peer;
import io.baton.spi.kernel.StepWire.Attached;
import io.baton.spi.kernel.StepWire.Departure;
import io.baton.spi.kernel.StepWire.Events;
import io.baton.spi.kernel.StepWire.Joining;
import io.baton.spi.kernel.StepWire.Standing;
import io.baton.spi.kernel.StepWire.Topic;
import io.baton.testkit.sim.SimCounts;
import io.baton.testkit.sim.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A simulated server of whole steps, for whole coordinators: sessions, lines with claims of each kind but downgrades, and
 * records. A fail-over breaks all contacts, drops the steps that are under way, and loses no step that was applied.
 */
final class RecipeServer {

    /** How long after its ttl a session ends at the latest. */
    static final Duration LAG = Duration.ofMillis(500);

    private static final int KEPT_CHANGES = 6;

    /** A session, alive as long as it is stored. */
    static final class SessionRow {
        private final long ttl;
        private long epoch;
        private long renewedAt;
        final Map<Long, Boolean> verdicts = new TreeMap<>();

        SessionRow(long ttl) {
            this.ttl = ttl;
        }
    }

    private record Written(long order) implements Revision {}

    /** A change of a record. */
    record Change(long revision, RecordKey key) {}

    final Simulation sim;
    final SimCounts counts;
    private final SplittableRandom chance;
    private final Map<String, SessionRow> sessions = new LinkedHashMap<>();
    private final Map<String, List<Entry>> lines = new LinkedHashMap<>();
    private final Map<String, Long> lineVersions = new HashMap<>();
    private final Map<RecordKey, Item> records = new LinkedHashMap<>();
    private final Map<String, List<Change>> changes = new HashMap<>();
    private final Map<String, RecipeWire.Connection> connections = new LinkedHashMap<>();
    private final Set<Long> removedByHand = new HashSet<>();
    private final Set<String> meddledWith = new HashSet<>();
    private final Set<String> endedByHand = new HashSet<>();
    private long numbers;
    private int generation;
    private boolean trouble = true;

    RecipeServer(Simulation sim, SimCounts counts) {
        this.sim = sim;
        this.counts = counts;
        this.chance = sim.chance();
        expireLater();
    }

    // ---- what it has

    /** Changes with each step that changes anything. */
    long version() {
        return numbers;
    }

    int generation() {
        return generation;
    }

    /** Whether events are lost, and removals have to wait. */
    boolean trouble() {
        return trouble;
    }

    /** The entries of the line at this path, in order. */
    List<Entry> line(String path) {
        return lines.getOrDefault(path, List.of());
    }

    /** The record, if there is one. */
    Optional<Item> record(RecordKey key) {
        return Optional.ofNullable(records.get(key));
    }

    /** Whether this session has not ended. */
    boolean lives(String session) {
        return sessions.containsKey(session);
    }

    /** Whether somebody has removed the entry, or ended its session, by hand. */
    boolean isMeddledWith(Entry entry) {
        return removedByHand.contains(entry.token()) || endedByHand.contains(entry.session());
    }

    /** Whether somebody has removed some of this session's entries, or ended it, by hand. */
    boolean isMeddledWithSome(String session) {
        return endedByHand.contains(session) || meddledWith.contains(session);
    }

    /** Whether somebody has meddled with some session of this client. */
    boolean isMeddledWithClient(String client) {
        return Stream.concat(endedByHand.stream(), meddledWith.stream())
                .anyMatch(session -> session.startsWith(client + "."));
    }

    // ---- faults

    /** No event is lost any more, and no removal has to wait. */
    void calm() {
        trouble = false;
    }

    /** Another server takes over. */
    void failOver() {
        counts.add("fail-overs");
        sim.note("server", "fails over");
        generation++;
        List.copyOf(connections.values()).forEach(RecipeWire.Connection::breakNow);
        connections.clear();
    }

    /** Somebody removes an entry of this line by hand. Returns false if there is none. */
    boolean removeByHand(String path) {
        List<Entry> line = line(path);
        if (line.isEmpty()) {
            return false;
        }
        Entry entry = line.get(chance.nextInt(line.size()));
        counts.add("entries removed by hand");
        sim.note("test", "removes by hand " + entry.token() + " of " + path);
        removedByHand.add(entry.token());
        meddledWith.add(entry.session());
        remove(List.of(entry.peer()), true);
        return true;
    }

    /** Somebody ends a session. Returns false if there is none. */
    boolean endByHand() {
        List<String> all = List.copyOf(sessions.keySet());
        if (all.isEmpty()) {
            return false;
        }
        String session = all.get(chance.nextInt(all.size()));
        counts.add("sessions ended by hand");
        endedByHand.add(session);
        end(session);
        return true;
    }

    private void expireLater() {
        sim.inBackgroundAt(sim.now() + chance.nextLong(LAG.toNanos()), () -> {
            List<String> overdue = sessions.entrySet().stream()
                    .filter(each -> sim.now() >= each.getValue().renewedAt + each.getValue().ttl)
                    .map(Map.Entry::getKey)
                    .toList();
            overdue.forEach(session -> {
                counts.add("sessions expired");
                end(session);
            });
            expireLater();
        });
    }

    // ---- steps

    Attached attach(RecipeWire.Connection connection, String id, Duration ttl, boolean first, long acknowledged) {
        SessionRow row = sessions.get(id);
        if (row == null && first && !endedByHand.contains(id)) {
            row = new SessionRow(ttl.toNanos());
            sessions.put(id, row);
        }
        if (row == null) {
            connection.over(hasEnded(id));
            return new Attached(List.of(), Map.of(), "", Duration.ZERO);
        }
        connection.epoch = ++row.epoch;
        connections.put(id, connection);
        renew(row);
        row.verdicts.keySet().removeIf(n -> n <= acknowledged);
        return new Attached(own(id), Map.copyOf(row.verdicts), "history", Duration.ZERO);
    }

    /** Applies a step of a session, if it is of the present epoch. */
    void apply(RecipeWire.Connection connection, String id, Function<SessionRow, Runnable> step) {
        if (connection.generation != generation) {
            return;
        }
        SessionRow row = sessions.get(id);
        if (row == null) {
            connection.over(hasEnded(id));
        } else if (connection.epoch != row.epoch) {
            counts.add("steps of a former epoch");
        } else {
            step.apply(row).run();
        }
    }

    private static SessionLostException hasEnded(String session) {
        return new SessionLostException("session " + session + " has ended");
    }

    void renew(SessionRow row) {
        row.renewedAt = sim.now();
    }

    void end(String id) {
        sim.note("server", "ends session " + id);
        List<Peer> own = lines.values().stream()
                .flatMap(List::stream)
                .filter(entry -> entry.session().equals(id))
                .map(Entry::peer)
                .toList();
        sessions.remove(id);
        remove(own, false);
        RecipeWire.Connection connection = connections.remove(id);
        if (connection != null) {
            connection.over(hasEnded(id));
        }
    }

    Standing join(String id, Joining joining) {
        var peer = new Peer(joining.line(), joining.name(), ++numbers, joining.claim());
        var entry = new Entry(peer, peer.order(), joining.payload(), id);
        lines.computeIfAbsent(joining.line().path(), path -> new ArrayList<>()).add(entry);
        changed(joining.line().path());
        return standing(entry);
    }

    void leave(List<Departure> leaving) {
        for (Departure each : leaving) {
            line(each.line().path()).stream()
                    .filter(entry -> entry.peer().name().equals(each.name()))
                    .findFirst()
                    .ifPresent(entry -> remove(List.of(entry.peer()), false));
        }
    }

    boolean transact(List<Condition> conditions, List<Op> ops, List<Peer> removed) {
        if (!conditions.stream().allMatch(this::holds) || !removed.stream().allMatch(this::stands)) {
            return false;
        }
        remove(removed, true);
        long revision = ++numbers;
        for (Op op : ops) {
            if (op instanceof Op.Put put) {
                records.put(put.key(), new Item(put.key(), put.value(), new Written(revision)));
            } else {
                records.remove(op.key());
            }
            changes.computeIfAbsent(op.key().tree(), tree -> new ArrayList<>()).add(new Change(revision, op.key()));
        }
        ops.stream().map(op -> new Topic.Tree(op.key().tree())).distinct().forEach(this::notify);
        return true;
    }

    private boolean holds(Condition condition) {
        if (condition instanceof Condition.Stands stands) {
            return stands(stands.peer());
        }
        if (condition instanceof Condition.Unchanged unchanged) {
            return record(unchanged.key())
                    .filter(item -> item.revision().equals(unchanged.revision()))
                    .isPresent();
        }
        return record(((Condition.Absent) condition).key()).isEmpty();
    }

    /** Whether this very entry stands in its line. */
    boolean stands(Entry entry) {
        return stands(entry.peer());
    }

    private boolean stands(Peer peer) {
        return line(peer.line().path()).stream().anyMatch(entry -> entry.peer().equals(peer));
    }

    boolean isFree(Line line, Claim claim) {
        return line(line.path()).stream()
                .noneMatch(ahead -> claim.conflictsWith(ahead.peer().claim()));
    }

    /** The entries of this session. */
    List<Standing> own(String session) {
        return lines.values().stream()
                .flatMap(List::stream)
                .filter(entry -> entry.session().equals(session))
                .map(this::standing)
                .toList();
    }

    private Standing standing(Entry entry) {
        Peer peer = entry.peer();
        return new Standing(peer.line(), peer.name(), entry.token(), isClear(entry), false);
    }

    private boolean isClear(Entry entry) {
        return line(entry.peer().line().path()).stream()
                .takeWhile(ahead -> ahead.token() < entry.token())
                .noneMatch(
                        ahead -> entry.peer().claim().conflictsWith(ahead.peer().claim()));
    }

    List<Item> items(String tree) {
        return records.values().stream()
                .filter(item -> item.key().tree().equals(tree))
                .toList();
    }

    /** The changes of a tree after this revision; empty if they are not all known any more. */
    Optional<List<Change>> changesSince(String tree, long revision) {
        List<Change> since = changes.getOrDefault(tree, List.of()).stream()
                .filter(change -> change.revision() > revision)
                .toList();
        return since.size() > KEPT_CHANGES ? Optional.empty() : Optional.of(since);
    }

    long version(Topic topic) {
        if (topic instanceof Topic.Head head) {
            List<Entry> line = line(head.line().path());
            return line.isEmpty() ? 0 : line.get(0).token();
        }
        if (topic instanceof Topic.Entries entries) {
            String path = entries.line().path();
            return line(path).isEmpty() ? 0 : lineVersions.getOrDefault(path, 0L);
        }
        List<Change> its = changes.getOrDefault(((Topic.Tree) topic).tree(), List.of());
        return its.isEmpty() ? 0 : its.get(its.size() - 1).revision();
    }

    // ---- events

    private void remove(List<Peer> peers, boolean tell) {
        Map<String, List<Entry>> waiting = new LinkedHashMap<>();
        Set<Entry> leaving = new LinkedHashSet<>();
        for (Peer peer : peers) {
            String path = peer.line().path();
            waiting.computeIfAbsent(
                    path,
                    any -> line(path).stream().filter(entry -> !isClear(entry)).toList());
            line(path).stream().filter(entry -> entry.peer().equals(peer)).forEach(leaving::add);
            line(path).removeIf(entry -> entry.peer().equals(peer));
        }
        if (tell) {
            leaving.forEach(
                    entry -> push(entry.session(), to -> to.gone(entry.peer().name())));
        }
        waiting.forEach((path, waited) -> {
            waited.stream()
                    .filter(entry -> stands(entry.peer()) && isClear(entry))
                    .forEach(entry ->
                            push(entry.session(), to -> to.cleared(entry.peer().name(), entry.token())));
            changed(path);
        });
    }

    private void changed(String path) {
        lineVersions.put(path, ++numbers);
        notify(path);
    }

    private void notify(String path) {
        connections.forEach((session, connection) -> connection.followed.forEach(topic -> {
            boolean its =
                    (topic instanceof Topic.Head head && head.line().path().equals(path))
                            || (topic instanceof Topic.Entries entries
                                    && entries.line().path().equals(path));
            if (its) {
                tell(session, topic);
            }
        }));
    }

    private void notify(Topic.Tree tree) {
        connections.forEach((session, connection) -> {
            if (connection.followed.contains(tree)) {
                tell(session, tree);
            }
        });
    }

    private void tell(String session, Topic topic) {
        long version = version(topic);
        push(session, to -> to.changed(topic, version));
    }

    private void push(String session, Consumer<Events> event) {
        RecipeWire.Connection connection = connections.get(session);
        if (connection == null) {
            return;
        }
        if (trouble && chance.nextInt(8) == 0) {
            counts.add("events lost");
        } else {
            connection.push(event);
        }
    }
}
