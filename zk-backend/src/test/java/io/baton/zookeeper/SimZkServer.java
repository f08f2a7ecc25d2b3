package io.baton.zookeeper;

import io.baton.testkit.sim.SimPipe;
import io.baton.zookeeper.SimRequest.Answer;
import io.baton.zookeeper.SimTree.Edit;
import io.baton.zookeeper.SimTree.Znode;
import io.baton.zookeeper.wire.ZkWire.Change;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/**
 * One server of the modelled ensemble: it answers its clients' reads from its own copy of the tree, hands writes to
 * the leader, logs what the leader proposes, applies what it commits, and tells watchers.
 *
 * <p>A follower's reads and pings prolong a session at the leader only when the leader asks. A follower that has not heard
 * from its leader for {@link SimZooKeeper#patience()}, or whose connection with it ends, closes its clients' connections
 * and takes part in the next election, with all that is in its log. Its process may be killed, which loses all but the
 * log, or stand still; its disk may stall; the others may be out of its reach. Its clock runs at a rate of its own.
 */
final class SimZkServer {

    private static final long MILLI = 1_000_000;

    private final SimZooKeeper ensemble;
    private final int number;
    private final SplittableRandom chance;
    private final long ratePpm;
    private final Set<SimZkConnection> connections = new LinkedHashSet<>();
    private final Set<Long> seen = new LinkedHashSet<>();
    private final List<Runnable> afterNextTouch = new ArrayList<>();
    private final ArrayDeque<SimZkTxn> notApplied = new ArrayDeque<>();
    private final ArrayDeque<SimZkTxn> notLogged = new ArrayDeque<>();
    private List<SimZkTxn> log = new ArrayList<>();
    private SimPipe disk;
    private SimTree tree = new SimTree();
    private Role role = Role.LOOKING;
    private @Nullable SimZkReign reign;
    private @Nullable SimZkLink link;
    private boolean serves;
    private long zxid;
    private long currentEpoch;
    private long acceptedEpoch;
    private long nextSession;
    private long askedAt;
    private long cutOffUntil;
    private long frozenUntil;
    private long stalledUntil;
    private boolean machineGone;
    private int lives;

    /** What a server takes itself for. */
    enum Role {
        DOWN,
        LOOKING,
        FOLLOWING,
        LEADING
    }

    SimZkServer(SimZooKeeper ensemble, int number, int driftPpm) {
        this.ensemble = ensemble;
        this.number = number;
        this.chance = ensemble.sim.chance();
        this.ratePpm = chance.nextLong(-driftPpm, driftPpm + 1L);
        this.nextSession = (number + 1L << 56) + (chance.nextLong(1L << 32) << 16);
        this.disk = disk();
    }

    int number() {
        return number;
    }

    boolean leads() {
        return role == Role.LEADING;
    }

    Role role() {
        return role;
    }

    /** Whether clients are served. */
    boolean serves() {
        return serves;
    }

    long zxid() {
        return zxid;
    }

    long acceptedEpoch() {
        return acceptedEpoch;
    }

    List<SimZkTxn> log() {
        return log;
    }

    SimTree tree() {
        return tree;
    }

    // ---- time

    /** Its monotonic clock. */
    long clock() {
        long now = ensemble.sim.now();
        return now + now / 1_000_000 * ratePpm + now % 1_000_000 * ratePpm / 1_000_000;
    }

    /** Virtual time at which its clock will have shown so much more. */
    long when(Duration passed) {
        long nanos = passed.toNanos();
        return ensemble.sim.now() + (long) (nanos / (1 + ratePpm / 1e6)) + 2;
    }

    /** Virtual time at which its clock will show the next whole tick. */
    long whenNextTick(Duration tick) {
        long nanos = tick.toNanos();
        return when(Duration.ofNanos((clock() / nanos + 1) * nanos - clock()));
    }

    boolean frozen() {
        return ensemble.sim.now() < frozenUntil;
    }

    long frozenUntil() {
        return frozenUntil;
    }

    boolean cutOff() {
        return ensemble.sim.now() < cutOffUntil;
    }

    /** Whether others can talk to it now. */
    boolean inTouch() {
        return role != Role.DOWN && !frozen() && !cutOff();
    }

    /** Whether it serves, at once, and as a part of what this leader leads. */
    boolean well(SimZkReign of) {
        boolean still = ensemble.sim.now() < Math.max(stalledUntil, Math.max(frozenUntil, cutOffUntil));
        return serves && !still && !ensemble.refusals().isBusy(this) && reign == of && (link == null || link.flows());
    }

    // ---- elections

    /** What it votes with: the epoch of its history, then how far that goes. */
    boolean isAheadOf(SimZkServer other) {
        long mine = lastLogged();
        long others = other.lastLogged();
        return currentEpoch != other.currentEpoch
                ? currentEpoch > other.currentEpoch
                : mine != others ? mine > others : number > other.number;
    }

    private long lastLogged() {
        return log.isEmpty() ? 0 : log.get(log.size() - 1).zxid();
    }

    void accept(long epoch) {
        acceptedEpoch = epoch;
    }

    /** It has been elected. */
    SimZkReign lead(long epoch) {
        role = Role.LEADING;
        currentEpoch = epoch;
        replay();
        reign = new SimZkReign(ensemble, this, epoch);
        return reign;
    }

    /** Applies what is in the log and not in the tree; whoever leads takes all of it for committed. */
    private void replay() {
        for (SimZkTxn txn : log) {
            if (txn.zxid() > zxid) {
                tree.apply(txn);
                zxid = txn.zxid();
            }
        }
    }

    void servesFrom(long newZxid) {
        zxid = newZxid;
        serves = true;
    }

    void follow(SimZkReign newReign) {
        role = Role.FOLLOWING;
        reign = newReign;
        link = newReign.join(this);
        awaitLeader(link);
    }

    private void awaitLeader(SimZkLink of) {
        if (link != of) {
            return;
        }
        if (frozen()) {
            ensemble.sim.inBackgroundAt(frozenUntil, () -> awaitLeader(of));
            return;
        }
        long silent = clock() - of.followerHeard();
        Duration patience = serves ? ensemble.patience() : ensemble.initialPatience();
        if (silent > patience.toNanos()) {
            ensemble.counts.add("followers that heard nothing from their leader");
            leave("nothing heard from the leader");
        } else {
            long rest = Math.max(0, ensemble.patience().toNanos() - silent) + MILLI;
            ensemble.sim.inBackgroundAt(when(Duration.ofNanos(rest)), () -> awaitLeader(of));
        }
    }

    /** The leader's history becomes this one's, whatever else was in it. */
    void takeOver(SimZkLink of, List<SimZkTxn> history, SimTree leaders) {
        int common = Math.min(log.size(), history.size());
        while (common > 0 && log.get(common - 1) != history.get(common - 1)) {
            common--;
        }
        ensemble.counts.add("proposals thrown away", log.size() - common);
        ensemble.counts.add("histories taken over");
        log = new ArrayList<>(history);
        tree = leaders;
        zxid = lastLogged();
        currentEpoch = of.reign().epoch();
        acceptedEpoch = Math.max(acceptedEpoch, currentEpoch);
        onDisk(() -> of.toLeader(() -> of.reign().newLeaderAcknowledged(of)));
    }

    void upToDate(SimZkLink of) {
        serves = true;
        askedAt = ensemble.sim.now();
        note("follows " + of.reign().leader().number());
    }

    void lost(SimZkLink of, String why) {
        if (of == link) {
            leave(why);
        }
    }

    /** Gives up leading or following: clients are closed, what was proposed is kept in the log. */
    void leave(String why) {
        note("looks for a leader: " + why);
        while (!notLogged.isEmpty()) {
            log.add(notLogged.remove());
        }
        step(Role.LOOKING, false);
        ensemble.lookSoon();
    }

    private void step(Role next, boolean silently) {
        if (!silently) {
            dropClients("the server no longer serves");
        }
        SimZkReign old = reign;
        SimZkLink oldLink = link;
        boolean led = role == Role.LEADING;
        role = next;
        serves = false;
        reign = null;
        link = null;
        seen.clear();
        afterNextTouch.clear();
        notApplied.clear();
        notLogged.clear();
        disk.cutAfter(0);
        disk = disk();
        disk.hold(stalledUntil);
        if (oldLink != null) {
            oldLink.closedByFollower(silently);
        }
        if (led && old != null) {
            old.end(silently);
        }
    }

    // ---- what a leader says

    void asked(SimZkLink of) {
        askedAt = ensemble.sim.now();
        var touches = List.copyOf(seen);
        seen.clear();
        of.toLeader(() -> touches.forEach(of.reign()::touch));
        afterNextTouch.forEach(of::toLeader);
        afterNextTouch.clear();
    }

    void proposed(SimZkLink of, SimZkTxn txn) {
        notApplied.add(txn);
        append(
                txn,
                () -> of.toLeader(() -> {
                    of.acknowledged(txn.zxid());
                    of.reign().acknowledged(this, txn.zxid());
                }));
    }

    void commit(SimZkLink of, SimZkTxn txn) {
        if (of == link) {
            if (!notApplied.isEmpty() && notApplied.peek() == txn) {
                notApplied.remove();
                apply(txn);
            } else if (txn.zxid() > zxid) {
                throw new AssertionError("committed out of order: " + txn);
            }
        }
    }

    /** Puts it into the log; then it is acknowledged. */
    void append(SimZkTxn txn, Runnable acknowledge) {
        notLogged.add(txn);
        onDisk(() -> {
            log.add(notLogged.remove());
            acknowledge.run();
        });
    }

    /** A disk takes no time here unless it stalls, or is the only one: the way to the leader has that in it. */
    private void onDisk(Runnable written) {
        if (!ensemble.standalone() && ensemble.sim.now() >= stalledUntil && disk.underWay() == 0) {
            written.run();
        } else {
            disk.send(written);
        }
    }

    private SimPipe disk() {
        return new SimPipe(ensemble.sim, () -> chance.nextLong(MILLI / 10, 3 * MILLI));
    }

    void apply(SimZkTxn txn) {
        zxid = txn.zxid();
        tree.apply(txn);
        for (Edit edit : txn.edits()) {
            Change change = SimTree.changeOf(edit);
            for (SimZkConnection connection : connections) {
                if (ensemble.refusals().mayRead(edit.path())) {
                    connection.tellIfWatched(edit.path(), change);
                } else {
                    connection.useUp(edit.path());
                }
            }
        }
        if (txn.closesSession()) {
            List.copyOf(connections).stream()
                    .filter(connection -> connection.session() == txn.session() && !connection.asksToClose())
                    .forEach(connection -> drop(connection, "its session is over"));
        }
        if (txn.origin() == this) {
            txn.done().accept(txn.answer());
        }
    }

    // ---- what clients ask

    void connect(SimZkConnection from, long session, Duration asked, long seenZxid) {
        if (machineGone) {
            return;
        }
        if (!serves) {
            ensemble.counts.add("refused connects: no leader");
            from.closedByServer("the server does not serve");
            return;
        }
        if (seenZxid > zxid) {
            ensemble.counts.add("refused connects: behind the client");
            from.closedByServer("the server has seen less than the client");
            return;
        }
        connections.add(from);
        if (session == 0) {
            long id = nextSession++;
            long timeout = ensemble.granted(asked);
            Runnable accept = () -> from.accept(id, Duration.ofNanos(timeout));
            if (ensemble.admitsEarly() && !leads()) {
                SimZkLink by = link;
                by.toLeader(() -> by.reign().open(id, timeout, by.reign().leader(), by, answer -> accept.run()));
            } else {
                forward((to, owner) -> to.open(id, timeout, this, owner, answer -> accept.run()));
            }
        } else {
            List.copyOf(connections).stream()
                    .filter(other -> other != from && other.session() == session)
                    .forEach(other -> drop(other, "its client has come back"));
            long timeout = ensemble.granted(asked);
            forward((to, owner) -> {
                boolean alive = to.reattach(session, owner);
                answer(owner, () -> {
                    from.accept(session, alive ? Duration.ofNanos(timeout) : Duration.ZERO);
                });
            });
        }
    }

    private void answer(Object owner, Runnable told) {
        if (owner instanceof SimZkLink of) {
            of.toFollower(told);
        } else {
            told.run();
        }
    }

    /** Takes a request in; a leader drops one of a session that is over (which then ends the connection, too). */
    boolean request(SimZkConnection from, SimRequest request, SimZkConnection.Pending pending) {
        long session = from.session();
        if (leads()) {
            if (!reign.alive(session)) {
                ensemble.counts.add("requests dropped by a leader");
                return false;
            }
            reign.touch(session);
        } else {
            seen.add(session);
        }
        if (ensemble.refusals().throttles(this, request)) {
            pending.answer = Answer.of(Code.THROTTLEDOP).at(zxid);
        } else if (request instanceof SimRequest.Global global) {
            forward((to, owner) -> to.submit(session, this, owner, global, answer -> {
                pending.answer = answer;
                from.advance();
            }));
        }
        return true;
    }

    Answer answer(SimZkConnection from, SimRequest.Local request) {
        if (leads() && !reign.alive(from.session())) {
            return Answer.of(Code.SESSIONEXPIRED).at(zxid);
        }
        if (zxid < ensemble.committedZxid() && !(request instanceof SimRequest.Ping)) {
            if (leads() && ensemble.reign() != reign) {
                ensemble.counts.add("reads answered by a deposed leader");
            } else if (cutOff()) {
                ensemble.counts.add("stale reads");
            }
        }
        return local(from, request).at(zxid);
    }

    /** The other end has gone. */
    void gone(SimZkConnection connection) {
        connections.remove(connection);
    }

    void dropClients(String why) {
        List.copyOf(connections).forEach(connection -> drop(connection, why));
    }

    void drop(SimZkConnection connection, String why) {
        connections.remove(connection);
        connection.closedByServer(why);
    }

    /** Something for the leader; the owner is who hands it on. */
    private interface Forwarded {
        void to(SimZkReign leader, Object owner);
    }

    /**
     * Hands on what a client asks, in the order in which it came; but while the leader has not asked for so long that it
     * must be silent, only behind the answer to its next question. That the leader hears of a session before it handles a
     * write sent a tick later is what the proof of the deadline assumes.
     */
    private void forward(Forwarded request) {
        if (leads()) {
            request.to(reign, this);
            return;
        }
        SimZkLink by = link;
        Runnable said = () -> request.to(by.reign(), by);
        if (ensemble.answersFirst() && !(askedLately() && afterNextTouch.isEmpty())) {
            ensemble.counts.add("requests behind the leader's question");
            afterNextTouch.add(said);
        } else {
            by.toLeader(said);
        }
    }

    private boolean askedLately() {
        return ensemble.sim.now() - askedAt < ensemble.tick().toNanos() * 3 / 4;
    }

    private Answer local(SimZkConnection from, SimRequest.Local request) {
        if (request instanceof SimRequest.Read read) {
            Znode node = tree.find(read.path());
            if (node != null && !ensemble.refusals().mayRead(read.path())) {
                return Answer.of(Code.NOAUTH);
            }
            if (node != null && read.watch()) {
                from.watchOnce(read.path());
            }
            return node == null ? Answer.of(Code.NONODE) : Answer.ok(node.asNode());
        } else if (request instanceof SimRequest.Children children) {
            Znode node = tree.find(children.path());
            if (node != null && !ensemble.refusals().mayRead(children.path())) {
                return Answer.of(Code.NOAUTH);
            }
            return node == null ? Answer.of(Code.NONODE) : Answer.ok(List.copyOf(node.children()));
        } else if (request instanceof SimRequest.Follow follow) {
            ensemble.counts.add("lines followed");
            from.follow(follow.path());
            return Answer.ok(null);
        } else if (request instanceof SimRequest.Unwatch unwatch) {
            if (from.follows(unwatch.path())) {
                ensemble.counts.add("lines no longer followed");
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

    // ---- faults

    /** Nothing passes between this server and the others for so long, or nothing of what goes one way. */
    void cutOff(Duration time) {
        note("cut off from the others for " + time);
        ensemble.counts.add("servers cut off");
        long until = ensemble.sim.now() + time.toNanos();
        cutOffUntil = Math.max(cutOffUntil, until);
        boolean atLeader = chance.nextInt(4) > 0;
        boolean atFollower = !atLeader || chance.nextInt(4) > 0;
        ensemble.links()
                .filter(each -> each.follower() == this || each.reign().leader() == this)
                .forEach(each -> each.block(atLeader, atFollower, until));
    }

    /** Stands still: what comes in waits, and its clock goes on. */
    void freeze(Duration time) {
        note("frozen for " + time);
        ensemble.counts.add("servers frozen");
        frozenUntil = Math.max(frozenUntil, ensemble.sim.now() + time.toNanos());
        connections.forEach(connection -> connection.serverFrozen(frozenUntil));
        ensemble.links()
                .forEach(each -> each.block(each.reign().leader() == this, each.follower() == this, frozenUntil));
    }

    /** Its disk takes so long for what it is to write next; nothing is acknowledged meanwhile. */
    void stall(Duration time) {
        stalledUntil = Math.max(stalledUntil, ensemble.sim.now() + time.toNanos());
        disk.hold(stalledUntil);
    }

    /** What the leader says arrives so much later. */
    void lag(Duration time) {
        if (link != null) {
            link.block(false, true, ensemble.sim.now() + time.toNanos());
        }
    }

    /** Killed, and started again after so long; silently if its machine goes with it, so that nobody is told. */
    void crash(Duration down, boolean silently) {
        if (role == Role.DOWN) {
            return;
        }
        note("killed for " + down);
        ensemble.counts.add(leads() ? "leaders killed" : "followers killed");
        connections.forEach(connection -> connection.serverDied(silently));
        connections.clear();
        step(Role.DOWN, silently);
        tree = new SimTree();
        zxid = 0;
        frozenUntil = 0;
        machineGone = silently;
        int life = ++lives;
        ensemble.sim.inBackgroundAt(ensemble.sim.now() + down.toNanos(), () -> {
            if (life == lives) {
                note("restarted");
                machineGone = false;
                ensemble.counts.add("servers restarted");
                role = Role.LOOKING;
                ensemble.lookSoon();
            }
        });
    }

    private void note(String what) {
        ensemble.sim.note("server " + number, what);
    }
}
