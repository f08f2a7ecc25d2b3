package io.baton.zookeeper;

import io.baton.testkit.sim.SimPipe;
import io.baton.zookeeper.SimRequest.Answer;
import io.baton.zookeeper.SimTree.Edit;
import io.baton.zookeeper.SimTree.Znode;
import io.baton.zookeeper.ZkWire.Change;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/**
 * One server of the modelled ensemble: it answers its clients' reads from its own copy of the tree, hands writes to
 * the leader, applies what the leader commits, and tells watchers.
 *
 * <p>A follower's talk with the leader is one ordered stream each way. The leader asks twice per tick which sessions
 * have been seen; a follower's reads and pings prolong a session by that way only. A follower that has not heard from
 * its leader for {@link SimZooKeeper#patience()} drops its clients and starts anew from a snapshot.
 */
final class SimZkServer {

    private static final long MILLI = 1_000_000;

    private final SimZooKeeper ensemble;
    private final int number;
    private final SplittableRandom chance;
    private final Set<SimZkConnection> connections = new LinkedHashSet<>();
    private final Set<Long> seen = new LinkedHashSet<>();
    private final List<Runnable> afterNextTouch = new ArrayList<>();
    private SimTree tree = new SimTree();
    private long zxid = 1L << 32;
    private @Nullable SimPipe up;
    private @Nullable SimPipe down;
    private long cutOffUntil;
    private long askedAt;

    SimZkServer(SimZooKeeper ensemble, int number) {
        this.ensemble = ensemble;
        this.number = number;
        this.chance = ensemble.sim.chance();
        if (number > 0) {
            attach();
            askForSeen();
        }
    }

    int number() {
        return number;
    }

    boolean leads() {
        return number == 0;
    }

    boolean cutOff() {
        return ensemble.sim.now() < cutOffUntil;
    }

    /** Nothing passes between this follower and the leader for so long. */
    void cutOff(Duration time) {
        ensemble.counts.partitions++;
        note("cut off from the leader for " + time);
        long until = ensemble.sim.now() + time.toNanos();
        Duration patience = ensemble.patience();
        cutOffUntil = until;
        up.hold(until);
        down.hold(until);
        if (time.compareTo(patience) > 0) {
            ensemble.sim.after(patience, this::giveUpClients);
            ensemble.sim.after(time, this::startAnew);
        }
    }

    /** Runs here what the leader says, behind all it said before. */
    void hear(Runnable said) {
        if (down == null) {
            said.run();
        } else {
            down.send(said);
        }
    }

    void connect(SimZkConnection from, long session, Duration asked, long seenZxid) {
        if (seenZxid > zxid) {
            from.refuse();
            return;
        }
        connections.add(from);
        if (session == 0) {
            forward(() -> {
                long[] id = new long[1];
                id[0] = ensemble.open(asked, this, answer -> from.accept(id[0], ensemble.timeout(id[0])));
            });
        } else {
            List.copyOf(connections).stream()
                    .filter(other -> other != from && other.session() == session)
                    .forEach(other -> drop(other, "its client has come back"));
            forward(() -> {
                boolean alive = ensemble.reattach(session, this);
                hear(() -> from.accept(session, alive ? ensemble.timeout(session) : Duration.ZERO));
            });
        }
    }

    void request(SimZkConnection from, SimRequest request, SimZkConnection.Pending pending) {
        long session = from.session();
        if (leads()) {
            ensemble.touch(session);
        } else {
            seen.add(session);
        }
        if (request instanceof SimRequest.Global global) {
            forward(() -> ensemble.submit(session, this, global, answer -> {
                pending.answer = answer;
                from.advance();
            }));
        }
        from.advance();
    }

    Answer answer(SimZkConnection from, SimRequest.Local request) {
        if (leads() && !ensemble.alive(from.session())) {
            return Answer.of(Code.SESSIONEXPIRED).at(zxid);
        }
        if (cutOff() && zxid < ensemble.committedZxid() && !(request instanceof SimRequest.Ping)) {
            ensemble.counts.staleReads++;
        }
        return local(from, request).at(zxid);
    }

    void apply(SimZooKeeper.Txn txn) {
        if (txn.zxid() <= zxid) {
            return;
        }
        zxid = txn.zxid();
        for (Edit edit : txn.edits()) {
            tree.apply(edit, txn.zxid());
            Change change = SimTree.changeOf(edit);
            for (SimZkConnection connection : connections) {
                connection.tellIfWatched(edit.path(), change);
            }
        }
        if (txn.closes() != 0) {
            List.copyOf(connections).stream()
                    .filter(connection -> connection.session() == txn.closes() && !connection.asksToClose())
                    .forEach(connection -> drop(connection, "its session is over"));
        }
    }

    /** The other end has gone. */
    void gone(SimZkConnection connection) {
        connections.remove(connection);
    }

    /** Closes all connections, as on a restart. */
    void giveUpClients() {
        List.copyOf(connections).forEach(connection -> drop(connection, "the server gives up its clients"));
    }

    void drop(SimZkConnection connection, String why) {
        connections.remove(connection);
        connection.closedByServer(why);
    }

    /** Hands on what a client asks, in the order in which it came. */
    private void forward(Runnable leader) {
        if (askedLately() && afterNextTouch.isEmpty()) {
            tell(leader);
        } else {
            afterNextTouch.add(leader);
        }
    }

    private void tell(Runnable leader) {
        if (up == null) {
            leader.run();
        } else {
            up.send(leader);
        }
    }

    private Answer local(SimZkConnection from, SimRequest.Local request) {
        if (request instanceof SimRequest.Read read) {
            Znode node = tree.find(read.path());
            if (node != null && read.watch()) {
                from.watchOnce(read.path());
            }
            return node == null ? Answer.of(Code.NONODE) : Answer.ok(node.asNode());
        } else if (request instanceof SimRequest.Children children) {
            Znode node = tree.find(children.path());
            return node == null ? Answer.of(Code.NONODE) : Answer.ok(List.copyOf(node.children()));
        } else if (request instanceof SimRequest.Follow follow) {
            ensemble.counts.follows++;
            from.follow(follow.path());
            return Answer.ok(null);
        } else if (request instanceof SimRequest.Unwatch unwatch) {
            if (from.follows(unwatch.path())) {
                ensemble.counts.unfollows++;
            }
            return Answer.of(from.unwatch(unwatch.path()) ? Code.OK : Code.NOWATCHER);
        } else if (request instanceof SimRequest.SetWatches set) {
            set.data().forEach(path -> restore(from, path, set.seenZxid()));
            set.recursive().forEach(from::follow);
        }
        return Answer.ok(null);
    }

    private void restore(SimZkConnection to, String path, long seenZxid) {
        Znode node = tree.find(path);
        if (node == null) {
            to.tell(path, Change.DELETED);
        } else if (node.mzxid() > seenZxid) {
            to.tell(path, Change.WRITTEN);
        } else {
            to.watchOnce(path);
        }
    }

    private void attach() {
        up = new SimPipe(ensemble.sim, this::latency);
        down = new SimPipe(ensemble.sim, this::latency);
    }

    private long latency() {
        return chance.nextInt(50) == 0 ? chance.nextLong(40 * MILLI) : chance.nextLong(MILLI / 10, MILLI);
    }

    /**
     * The leader's ping. Its answer goes ahead of what clients asked while the link was down: that the
     * leader hears of a session before it handles a write sent a tick later is what the proof of the deadline assumes.
     */
    private void askForSeen() {
        hear(() -> {
            askedAt = ensemble.sim.now();
            var touches = List.copyOf(seen);
            seen.clear();
            tell(() -> touches.forEach(ensemble::touch));
            afterNextTouch.forEach(this::tell);
            afterNextTouch.clear();
        });
        ensemble.sim.inBackgroundAt(ensemble.sim.now() + ensemble.tick().toNanos() / 2, this::askForSeen);
    }

    private boolean askedLately() {
        return leads() || ensemble.sim.now() - askedAt < ensemble.tick().toNanos() * 3 / 4;
    }

    private void startAnew() {
        note("starts anew from a snapshot");
        giveUpClients();
        up.cutAfter(0);
        down.cutAfter(0);
        seen.clear();
        afterNextTouch.clear();
        tree = ensemble.snapshot();
        zxid = ensemble.committedZxid();
        attach();
    }

    private void note(String what) {
        ensemble.sim.note("server " + number, what);
    }
}
