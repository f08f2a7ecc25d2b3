package io.baton.zookeeper;

import io.baton.testkit.sim.SimPipe;
import io.baton.testkit.sim.SimProcess;
import io.baton.testkit.sim.Simulation;
import io.baton.zookeeper.SimRequest.Answer;
import io.baton.zookeeper.SimTree.Edit;
import io.baton.zookeeper.SimTree.Znode;
import io.baton.zookeeper.ZkWire.ZkOp;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/**
 * A model of a ZooKeeper ensemble whose leader never fails: server 0 leads, the others follow and may lag.
 *
 * <p>The leader decides each transaction in the order of arrival and gives it a zxid, also one that fails; after a
 * quorum's time it is committed, and every server applies it, in that order. The leader tracks sessions: a session
 * touched at T with timeout t is closed at the first tick after T + t, and refused from that moment on.
 */
final class SimZooKeeper {

    private static final long MILLI = 1_000_000;

    final Simulation sim;
    final SimCounts counts = new SimCounts();
    private final SplittableRandom chance;
    private final Duration tick;
    private final int syncLimit;
    private final SimTree head = new SimTree();
    private final Map<Long, Tracked> sessions = new LinkedHashMap<>();
    private final Map<SimProcess, Long> unreachable = new HashMap<>();
    private final List<SimZkServer> servers = new ArrayList<>();
    private final SimPipe quorum;
    private SimTree committed = new SimTree();
    private int firstNumber;
    private long committedZxid = 1L << 32;
    private long zxid = 1L << 32;
    private long nextSession;

    /** Session timeouts are between 2 and 20 ticks; a follower stays up for so many without its leader. */
    SimZooKeeper(Simulation sim, int members, Duration tick, int syncLimit) {
        this.sim = sim;
        this.tick = tick;
        this.syncLimit = syncLimit;
        this.chance = sim.chance();
        this.nextSession = chance.nextLong(1L << 40) << 16;
        this.quorum = new SimPipe(sim, () -> chance.nextLong(MILLI / 10, 3 * MILLI));
        for (int i = 0; i < members; i++) {
            servers.add(new SimZkServer(this, i));
        }
        sim.inBackgroundAt(tick.toNanos(), this::expire);
        reapLater();
    }

    Duration tick() {
        return tick;
    }

    Duration patience() {
        return tick.multipliedBy(syncLimit);
    }

    List<SimZkServer> servers() {
        return servers;
    }

    /** What the leader has decided so far; ahead of what any client can have been told. */
    SimTree decided() {
        return head;
    }

    /** Lines made from now on number their entries from here. */
    void numberFrom(int first) {
        firstNumber = first;
    }

    /** Somebody else deletes a node. */
    void deleteByHand(String path) {
        note("deleted by hand: " + path);
        decide(null, null, new SimRequest.Multi(List.of(new ZkOp.Delete(path, -1))), answer -> {});
    }

    /** No server can be reached from this process for so long. */
    void isolate(SimProcess process, Duration time) {
        note(process.name() + " is cut off for " + time);
        counts.outages++;
        unreachable.put(process, sim.now() + time.toNanos());
    }

    /** Virtual time from which on this process can reach the servers. */
    long unreachableUntil(SimProcess process) {
        return unreachable.getOrDefault(process, 0L);
    }

    /** No quorum answers for so long: nothing is committed, while the leader goes on deciding. */
    void slowDown(Duration time) {
        counts.slowQuorums++;
        quorum.hold(sim.now() + time.toNanos());
    }

    /** Ends a session as if its client had been silent for too long. */
    void expireByHand(long session) {
        decide(sessions.get(session), null, new SimRequest.CloseSession(), answer -> {});
    }

    /** Whether the leader would still take requests of this session. */
    boolean alive(long session) {
        Tracked tracked = sessions.get(session);
        return tracked != null && !tracked.closing;
    }

    long open(Duration asked, SimZkServer by, Consumer<Answer> opened) {
        long id = ++nextSession;
        long timeout = Math.max(2 * tick.toNanos(), Math.min(20 * tick.toNanos(), asked.toNanos()));
        sessions.put(id, new Tracked(id, timeout, by));
        touch(id);
        commit(List.of(), 0, by, Answer.ok(null), opened);
        return id;
    }

    Duration timeout(long session) {
        Tracked tracked = sessions.get(session);
        return tracked == null ? Duration.ZERO : Duration.ofNanos(tracked.timeout);
    }

    /** A client has come back through this server; false if its session is over. */
    boolean reattach(long session, SimZkServer by) {
        if (!touch(session)) {
            return false;
        }
        sessions.get(session).owner = by;
        return true;
    }

    boolean touch(long session) {
        Tracked tracked = sessions.get(session);
        if (tracked == null || tracked.closing) {
            return false;
        }
        long interval = tick.toNanos();
        tracked.expiry = Math.max(tracked.expiry, ((sim.now() + tracked.timeout) / interval + 1) * interval);
        return true;
    }

    void submit(long session, SimZkServer by, SimRequest.Global request, Consumer<Answer> done) {
        Tracked tracked = sessions.get(session);
        if (tracked == null || tracked.closing) {
            boolean multi = request instanceof SimRequest.Multi;
            commit(List.of(), 0, by, Answer.failed(Code.SESSIONEXPIRED, multi ? 0 : -1), done);
        } else if (tracked.owner != by) {
            commit(List.of(), 0, by, Answer.of(Code.SESSIONMOVED), done);
        } else {
            decide(tracked, by, request, done);
        }
    }

    /** A fresh copy of what is committed, for a server that has fallen behind. */
    SimTree snapshot() {
        return new SimTree(committed);
    }

    long committedZxid() {
        return committedZxid;
    }

    private void decide(
            @Nullable Tracked session, @Nullable SimZkServer by, SimRequest.Global request, Consumer<Answer> done) {
        var edits = new ArrayList<Edit>();
        Deque<Runnable> undo = new ArrayDeque<>();
        long closes = 0;
        Answer answer;
        if (request instanceof SimRequest.Create create) {
            answer = create(session, create.path(), create.data(), create.mode(), edits, undo);
        } else if (request instanceof SimRequest.Multi multi) {
            answer = multi(session, multi.ops(), edits, undo);
        } else {
            closes = session.id;
            session.closing = true;
            for (String path : head.ephemeralsOf(session.id)) {
                add(new Edit.Remove(path), edits, undo);
            }
            answer = Answer.ok(null);
        }
        commit(edits, closes, by, answer, done);
    }

    private Answer multi(@Nullable Tracked session, List<ZkOp> ops, List<Edit> edits, Deque<Runnable> undo) {
        for (int i = 0; i < ops.size(); i++) {
            Answer part = part(session, ops.get(i), edits, undo);
            if (part.code() != Code.OK) {
                undo.forEach(Runnable::run);
                edits.clear();
                return Answer.failed(part.code(), i);
            }
        }
        return Answer.ok(null);
    }

    private Answer part(@Nullable Tracked session, ZkOp op, List<Edit> edits, Deque<Runnable> undo) {
        if (op instanceof ZkOp.Create create) {
            return create(session, create.path(), create.data(), CreateMode.PERSISTENT, edits, undo);
        } else if (op instanceof ZkOp.Check check) {
            return fits(check.path(), check.version());
        } else if (op instanceof ZkOp.Write write) {
            Answer fits = fits(write.path(), write.version());
            if (fits.code() == Code.OK) {
                add(new Edit.Write(write.path(), write.data()), edits, undo);
            }
            return fits;
        } else if (op instanceof ZkOp.Delete delete) {
            Answer fits = fits(delete.path(), delete.version());
            if (fits.code() == Code.OK && !head.find(delete.path()).children().isEmpty()) {
                return Answer.of(Code.NOTEMPTY);
            }
            if (fits.code() == Code.OK) {
                add(new Edit.Remove(delete.path()), edits, undo);
            }
            return fits;
        }
        throw new AssertionError(op);
    }

    private Answer fits(String path, int version) {
        Znode node = head.find(path);
        if (node == null) {
            return Answer.of(Code.NONODE);
        }
        return version == -1 || version == node.version() ? Answer.ok(null) : Answer.of(Code.BADVERSION);
    }

    private Answer create(
            @Nullable Tracked session,
            String asked,
            byte[] data,
            CreateMode mode,
            List<Edit> edits,
            Deque<Runnable> undo) {
        Znode parent = head.find(SimTree.parentOf(asked));
        if (parent == null) {
            return Answer.of(Code.NONODE);
        }
        String path = mode.isSequential() ? asked + number(parent) : asked;
        if (head.find(path) != null) {
            return Answer.of(Code.NODEEXISTS);
        }
        if (parent.owner() != 0) {
            return Answer.of(Code.NOCHILDRENFOREPHEMERALS);
        }
        add(
                new Edit.Make(
                        path,
                        data,
                        mode.isEphemeral() && session != null ? session.id : 0,
                        mode.isContainer(),
                        mode.isContainer() ? firstNumber : 0),
                edits,
                undo);
        return Answer.ok(head.find(path).asNode());
    }

    /**
     * The real server counts in 32 bits. Past the end a request prepared behind another one that is still under way gets
     * a negative number, any other the last one again.
     */
    private String number(Znode parent) {
        boolean behindAnother = parent.made() == Integer.MAX_VALUE && zxid % 3 == 0;
        int number = behindAnother ? Integer.MIN_VALUE + (int) (zxid % 5) : parent.made();
        return String.format(Locale.ROOT, "%010d", number);
    }

    private void add(Edit edit, List<Edit> edits, Deque<Runnable> undo) {
        undo.push(head.apply(edit, zxid + 1));
        edits.add(edit);
    }

    private void commit(List<Edit> edits, long closes, @Nullable SimZkServer by, Answer answer, Consumer<Answer> done) {
        zxid++;
        counts.commits++;
        var txn = new Txn(zxid, edits, closes);
        quorum.send(() -> {
            edits.forEach(edit -> committed.apply(edit, txn.zxid));
            committedZxid = txn.zxid;
            for (SimZkServer server : servers) {
                server.hear(() -> {
                    server.apply(txn);
                    if (server == by) {
                        done.accept(answer.at(txn.zxid));
                    }
                });
            }
        });
    }

    private void expire() {
        for (Tracked session : List.copyOf(sessions.values())) {
            if (!session.closing && session.expiry <= sim.now()) {
                counts.expiries++;
                note("session " + Long.toHexString(session.id) + " expires");
                decide(session, null, new SimRequest.CloseSession(), answer -> {});
            }
        }
        sim.inBackgroundAt(sim.now() + tick.toNanos(), this::expire);
    }

    private void reapLater() {
        sim.inBackgroundAt(sim.now() + chance.nextLong(500 * MILLI, 8_000 * MILLI), () -> {
            for (String path : head.idleContainers()) {
                counts.reapedContainers++;
                var edits = new ArrayList<Edit>();
                add(new Edit.Remove(path), edits, new ArrayDeque<>());
                commit(edits, 0, null, Answer.ok(null), answer -> {});
            }
            reapLater();
        });
    }

    private void note(String what) {
        sim.note("zookeeper", what);
    }

    /** A committed transaction; {@code closes} is the session that it ends, or 0. */
    record Txn(long zxid, List<Edit> edits, long closes) {}

    private static final class Tracked {
        final long id;
        final long timeout;
        SimZkServer owner;
        long expiry;
        boolean closing;

        Tracked(long id, long timeout, SimZkServer owner) {
            this.id = id;
            this.timeout = timeout;
            this.owner = owner;
        }
    }
}
