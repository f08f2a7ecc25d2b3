package io.baton.tck.sim.kernel;

import io.baton.Item;
import io.baton.Op;
import io.baton.SessionLostException;
import io.baton.spi.Condition;
import io.baton.spi.Entry;
import io.baton.spi.Line;
import io.baton.spi.Peer;
import io.baton.spi.kernel.StepWire.Attached;
import io.baton.spi.kernel.StepWire.Departure;
import io.baton.spi.kernel.StepWire.Events;
import io.baton.spi.kernel.StepWire.Joining;
import io.baton.spi.kernel.StepWire.Topic;
import io.baton.spi.support.Downgrades;
import io.baton.tck.sim.kernel.StepState.Change;
import io.baton.tck.sim.kernel.StepState.SessionRow;
import io.baton.tck.sim.kernel.StepState.StepRevision;
import io.baton.testkit.sim.SimCounts;
import io.baton.testkit.sim.Simulation;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * A simulated server of whole steps. It counts time by a capped clock that is stored with the rest, so a fail-over sets
 * back beats and clock together.
 */
final class StepServer {

    static final long CAP = Duration.ofMillis(1_250).toNanos();

    private static final long STEPS_APART = Duration.ofSeconds(8).toNanos();
    private static final int KEPT_CHANGES = 8;
    private static final int KEPT_COPIES = 24;

    final SimCounts counts;
    private final Simulation sim;
    private final SplittableRandom chance;
    private final ArrayDeque<StepState> copies = new ArrayDeque<>();
    private final Map<String, SimStepWire.Connection> connections = new HashMap<>();

    /** The tokens of entries that others may have removed. */
    final Set<Long> removedByOthers = new HashSet<>();

    /** Sessions that were ended, also in steps that a fail-over has lost. */
    final Set<String> everEnded = new HashSet<>();

    private final List<String> log = new ArrayList<>();
    private StepState state = new StepState();
    private long wallOffset;
    private long steppedAt = -STEPS_APART;
    private long longestTtl;
    int generation;
    boolean trouble = true;

    StepServer(Simulation sim, SimCounts counts) {
        this.sim = sim;
        this.counts = counts;
        this.chance = sim.chance();
    }

    StepState state() {
        return state;
    }

    /** The texts of all records that were ever put, in order. */
    List<String> log() {
        return log;
    }

    // ---- faults

    /** Another server takes over, which has not got the latest steps. */
    void failOver() {
        counts.add("fail-overs");
        int lost = chance.nextInt(copies.size() + 1);
        for (int i = 0; i < lost; i++) {
            state = copies.removeLast();
        }
        counts.add("steps lost in fail-overs", lost);
        sim.note("server", "fails over and loses " + lost + " steps");
        copies.clear();
        log.subList(state.logged, log.size()).clear();
        generation++;
        look();
        state.history = Integer.toString(generation);
        state.lastToken += 1 << 20;
        state.quietUntil = state.clock + longestTtl + CAP;
        List.copyOf(connections.values()).forEach(SimStepWire.Connection::breakNow);
        connections.clear();
    }

    /** Steps are rare: the margin of the expiry covers one within the life of a session. */
    void stepClock(Duration by) {
        if (sim.now() - steppedAt < STEPS_APART) {
            return;
        }
        steppedAt = sim.now();
        counts.add("clock steps");
        sim.note("server", "clock steps by " + by);
        wallOffset += by.toNanos();
    }

    /** Somebody removes an entry by hand. */
    void removeByHand() {
        List<Entry> all = state.entries();
        if (!all.isEmpty()) {
            counts.add("entries removed by hand");
            save();
            Entry entry = all.get(chance.nextInt(all.size()));
            removedByOthers.add(entry.token());
            remove(List.of(entry.peer()), true);
        }
    }

    // ---- steps

    Attached attach(SimStepWire.Connection connection, String id, Duration ttl, boolean first, long acknowledged) {
        save();
        look();
        longestTtl = Math.max(longestTtl, ttl.toNanos());
        SessionRow row = state.sessions().get(id);
        if (row == null && first) {
            row = new SessionRow(0, 0, ttl.toNanos(), Map.of());
        }
        if (row == null) {
            connection.over(new SessionLostException("session " + id + " has ended"));
            return new Attached(List.of(), Map.of(), "", Duration.ZERO);
        }
        SessionRow attached = row.nextEpoch().beaten(state.clock).acknowledged(acknowledged);
        state.put(id, attached);
        connection.epoch = attached.epoch();
        connections.put(id, connection);
        return new Attached(state.own(id), attached.verdicts(), state.history, quiet());
    }

    /** Applies a step of a session, if it is of the present epoch. Returns whether it was applied. */
    boolean apply(SimStepWire.Connection connection, String id, Supplier<Runnable> step) {
        if (connection.generation != generation) {
            return false;
        }
        SessionRow row = state.sessions().get(id);
        if (row == null) {
            connection.over(new SessionLostException("session " + id + " has ended"));
            return false;
        }
        if (connection.epoch != row.epoch()) {
            counts.add("steps of a former epoch");
            return false;
        }
        save();
        look();
        step.get().run();
        return true;
    }

    private SessionRow session(String id) {
        return Objects.requireNonNull(state.sessions().get(id));
    }

    void renew(String id) {
        state.put(id, session(id).beaten(state.clock));
    }

    Duration quiet() {
        return Duration.ofNanos(Math.max(0, state.quietUntil - state.clock));
    }

    void endOverdue() {
        List<String> overdue = state.sessions().entrySet().stream()
                .filter(each ->
                        state.clock >= each.getValue().beat() + each.getValue().ttl() + CAP)
                .map(Map.Entry::getKey)
                .limit(2)
                .toList();
        overdue.forEach(id -> {
            counts.add("sessions expired");
            sim.note("server", "ends " + id);
            end(id);
        });
    }

    void end(String id) {
        List<Peer> own = state.entries().stream()
                .filter(entry -> entry.session().equals(id))
                .map(Entry::peer)
                .toList();
        everEnded.add(id);
        state.removeSession(id);
        remove(own, false);
        SimStepWire.Connection connection = connections.remove(id);
        if (connection != null) {
            connection.over(new SessionLostException("session " + id + " has ended"));
        }
    }

    Entry join(String id, Joining joining) {
        var peer = new Peer(joining.line(), joining.name(), ++state.lastToken, joining.claim());
        var entry = new Entry(peer, peer.order(), joining.payload(), id);
        state.put(
                joining.line(),
                Stream.concat(state.line(joining.line()).stream(), Stream.of(entry))
                        .toList());
        changed(joining.line());
        return entry;
    }

    void leave(List<Departure> leaving) {
        for (Departure each : leaving) {
            state.line(each.line()).stream()
                    .filter(entry -> entry.peer().name().equals(each.name()))
                    .findFirst()
                    .ifPresent(entry -> remove(List.of(entry.peer()), false));
        }
    }

    /** Marks an entry as shared, if it stands. Returns whether it does. */
    boolean downgrade(Departure departure) {
        boolean stands = state.line(departure.line()).stream()
                .anyMatch(entry -> entry.peer().name().equals(departure.name()));
        change(
                departure.line(),
                () -> state.put(
                        departure.line(),
                        state.line(departure.line()).stream()
                                .map(entry -> entry.peer().name().equals(departure.name()) ? shared(entry) : entry)
                                .toList()));
        return stands;
    }

    private static Entry shared(Entry entry) {
        return new Entry(entry.peer(), entry.token(), Downgrades.mark(entry.payload()), entry.session());
    }

    /** Applies a transaction of a session, unless it has a verdict. */
    boolean transact(
            String id, long n, long acknowledged, List<Condition> conditions, List<Op> ops, List<Peer> removed) {
        SessionRow row = session(id).acknowledged(acknowledged);
        Boolean verdict = row.verdicts().get(n);
        if (verdict == null) {
            verdict = transact(conditions, ops, removed);
        }
        state.put(id, row.decided(n, verdict));
        return verdict;
    }

    private boolean transact(List<Condition> conditions, List<Op> ops, List<Peer> removed) {
        boolean holds = removed.stream().allMatch(state::stands)
                && conditions.stream()
                        .allMatch(each -> !(each instanceof Condition.Stands stands) || state.stands(stands.peer()));
        if (!holds) {
            return false;
        }
        removed.forEach(peer -> removedByOthers.add(peer.order()));
        remove(removed, true);
        state.revision++;
        for (Op op : ops) {
            if (op instanceof Op.Put put) {
                var item = new Item(put.key(), put.value(), new StepRevision(state.revision));
                state.put(item);
                log(item.text());
            } else {
                state.removeRecord(op.key());
            }
            state.changed(op.key(), KEPT_CHANGES + 1);
            notify(topic -> topic instanceof Topic.Tree);
        }
        return true;
    }

    /** The revisions from which on all changes are known. */
    Optional<List<Change>> changesSince(long revision) {
        List<Change> since = state.changes().stream()
                .filter(change -> change.revision() > revision)
                .toList();
        return since.size() > KEPT_CHANGES ? Optional.empty() : Optional.of(since);
    }

    long version(Topic topic) {
        if (topic instanceof Topic.Head head) {
            Entry first = state.first(head.line());
            return first == null ? -state.moves : 2 * first.token() + (Downgrades.isMarked(first.payload()) ? 1 : 0);
        }
        return topic instanceof Topic.Tree ? state.revision : state.moves;
    }

    // ---- the rest

    private void remove(List<Peer> peers, boolean tell) {
        Set<Line> lines = new LinkedHashSet<>();
        peers.forEach(peer -> lines.add(peer.line()));
        for (Line line : lines) {
            change(line, () -> {
                List<Entry> all = state.line(line);
                if (tell) {
                    all.stream()
                            .filter(entry -> peers.contains(entry.peer()))
                            .forEach(entry -> push(
                                    entry.session(),
                                    wire -> wire.gone(entry.peer().name())));
                }
                state.put(
                        line,
                        all.stream()
                                .filter(entry -> !peers.contains(entry.peer()))
                                .toList());
            });
        }
    }

    /** Changes a line, and tells those that become clear by it. */
    private void change(Line line, Runnable how) {
        List<Entry> before = state.clear(line);
        how.run();
        for (Entry entry : state.clear(line)) {
            if (before.stream().noneMatch(same -> same.token() == entry.token())) {
                push(entry.session(), wire -> wire.cleared(entry.peer().name(), entry.token()));
            }
        }
        changed(line);
    }

    private void changed(Line line) {
        notify(topic -> (topic instanceof Topic.Head head && head.line().equals(line))
                || (topic instanceof Topic.Entries entries && entries.line().equals(line)));
    }

    private void notify(Predicate<Topic> which) {
        List.copyOf(connections.entrySet())
                .forEach(each -> each.getValue().followed.stream()
                        .filter(which)
                        .toList()
                        .forEach(topic -> {
                            long version = version(topic);
                            push(each.getKey(), wire -> wire.changed(topic, version));
                        }));
    }

    private void push(String session, Consumer<Events> event) {
        SimStepWire.Connection connection = connections.get(session);
        if (connection == null) {
            return;
        }
        if (trouble && chance.nextInt(8) == 0) {
            counts.add("events lost");
        } else {
            connection.push(event);
        }
    }

    /** Time goes on by no more than the cap since somebody looked last, whatever the clock says. */
    private void look() {
        long wall = sim.now() + wallOffset;
        state.clock += Math.max(0, Math.min(wall - state.lookedAt, CAP));
        state.lookedAt = wall;
    }

    private void log(String text) {
        log.add(text);
        state.logged = log.size();
    }

    private void save() {
        copies.add(state.copy());
        if (copies.size() > KEPT_COPIES) {
            copies.removeFirst();
        }
    }
}
