package io.baton.zookeeper;

import io.baton.zookeeper.SimPrep.Decision;
import io.baton.zookeeper.SimRequest.Answer;
import io.baton.zookeeper.SimTree.Edit;
import io.baton.zookeeper.SimTree.Znode;
import io.baton.zookeeper.wire.ZkWire.ZkOp;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

/**
 * A server's time as leader ({@code Leader}), from its election until it steps down.
 *
 * <p>It gives its history to every follower. Once a quorum has taken it over, all of that history is committed, and the
 * leader begins to serve: with a new epoch in the upper half of its zxids and a counter that begins at 0, and with a
 * session tracker made anew. From then on it numbers and proposes transactions in the order of arrival, and commits each
 * once a quorum, itself included, has it in its log. It asks its followers twice per tick which sessions they have seen,
 * and looks once per tick whether it still has a quorum of them; if not, it closes everything and steps down. Until then
 * it serves its clients as ever, whether or not somebody else leads already.
 */
final class SimZkReign {

    private static final long MILLI = 1_000_000;

    private final SimZooKeeper ensemble;
    private final SimZkServer leader;
    private final long epoch;
    private final SplittableRandom chance;
    private final SimPrep prep;
    private final List<SimZkTxn> history;
    private final Deque<SimZkTxn> outstanding = new ArrayDeque<>();
    private final Map<SimZkServer, SimZkLink> links = new LinkedHashMap<>();
    private final long[] acknowledged;
    private SimSessionTracker sessions;
    private int committed;
    private long zxid;
    private boolean active;
    private boolean over;
    private boolean skip = true;

    /** The leader's tree holds all that its log does. */
    SimZkReign(SimZooKeeper ensemble, SimZkServer leader, long epoch) {
        this.ensemble = ensemble;
        this.leader = leader;
        this.epoch = epoch;
        this.chance = ensemble.sim.chance();
        this.history = new ArrayList<>(leader.log());
        this.prep = new SimPrep(new SimTree(leader.tree()), ensemble.refusals(), ensemble.firstNumber());
        this.acknowledged = new long[ensemble.servers().size()];
        this.sessions = tracker();
    }

    SimZooKeeper ensemble() {
        return ensemble;
    }

    SimZkServer leader() {
        return leader;
    }

    long epoch() {
        return epoch;
    }

    boolean active() {
        return active;
    }

    boolean over() {
        return over;
    }

    /** Whether this leader would still take requests of this session. */
    boolean alive(long session) {
        return sessions.alive(session);
    }

    // ---- from the election until it serves

    /** Begins; gives up if it takes too long to gather a quorum. */
    void begin() {
        if (quorum()) {
            activate();
        } else {
            ensemble.sim.inBackgroundAt(leader.when(ensemble.initialPatience()), () -> {
                if (!active && !over) {
                    leader.leave("no quorum of followers in time");
                }
            });
        }
    }

    /** Gives a follower what is committed here, and then what is under way. */
    SimZkLink join(SimZkServer follower) {
        var link = new SimZkLink(this, follower, ensemble::latency);
        SimZkLink before = links.put(follower, link);
        if (before != null) {
            before.closedByLeader(true);
        }
        acknowledged[follower.number()] = 0; // it takes over what is committed, and is then told the rest anew
        int upTo = active ? committed : history.size();
        var past = List.copyOf(history.subList(0, upTo));
        var tree = new SimTree(leader.tree());
        link.toFollower(() -> follower.takeOver(link, past, tree));
        history.subList(upTo, history.size()).forEach(txn -> propose(link, txn));
        return link;
    }

    void newLeaderAcknowledged(SimZkLink link) {
        link.acknowledgedNewLeader();
        if (active) {
            tellUpToDate(link);
        } else if (quorum()) {
            activate();
        }
    }

    private void activate() {
        active = true;
        committed = history.size();
        zxid = ensemble.standalone() ? Math.max(leader.zxid(), epoch << 32) : epoch << 32;
        ensemble.activated(this, history);
        leader.servesFrom(zxid);
        sessions = tracker();
        links.values().stream().filter(SimZkLink::synced).forEach(this::tellUpToDate);
        lead();
        expireLater();
        reapLater();
    }

    private SimSessionTracker tracker() {
        return new SimSessionTracker(
                ensemble.tick().toNanos(), leader::clock, leader.tree().sessions());
    }

    private void tellUpToDate(SimZkLink link) {
        link.toFollower(() -> link.follower().upToDate(link));
    }

    private boolean quorum() {
        long synced = links.values().stream().filter(SimZkLink::synced).count();
        return ensemble.quorum(1 + (int) synced);
    }

    /** Whether it serves, and its followers have not gone without its knowledge. */
    boolean firm() {
        int in = 0;
        for (SimZkLink link : links.values()) {
            in += link.open() && link.synced() && link.follower().inTouch() ? 1 : 0;
        }
        return active && !over && leader.inTouch() && ensemble.quorum(1 + in);
    }

    // ---- requests

    void touch(long session) {
        sessions.touch(session);
    }

    /** Opens a session for the client of a server. */
    void open(long session, long timeout, SimZkServer by, Object owner, Consumer<Answer> done) {
        sessions.track(session, timeout);
        sessions.owner(session, owner);
        propose(List.of(), session, timeout, by, Answer.ok(null), done, SimZkTxn.NOTHING);
    }

    /** A client has come back; false if its session is over. */
    boolean reattach(long session, Object owner) {
        if (!sessions.touch(session)) {
            return false;
        }
        sessions.owner(session, owner);
        return true;
    }

    void submit(long session, SimZkServer by, Object owner, SimRequest.Global request, Consumer<Answer> done) {
        if (request instanceof SimRequest.CloseSession) {
            close(session, by, done); // not checked, by the server neither
            return;
        }
        Code allowed = sessions.check(session, owner);
        if (allowed != Code.OK) {
            boolean expired = request instanceof SimRequest.Multi && allowed == Code.SESSIONEXPIRED;
            propose(List.of(), 0, 0, by, Answer.failed(allowed, expired ? 0 : -1), done, SimZkTxn.NOTHING);
        } else if (request instanceof SimRequest.Create create) {
            propose(prep.create(session, create, zxid + 1), by, done, SimZkTxn.NOTHING);
        } else if (request instanceof SimRequest.Multi multi) {
            boolean line = multi.ops().stream().anyMatch(op -> op instanceof ZkOp.Delete && isContainer(op.path()));
            Decision decision = prep.multi(session, multi.ops(), zxid + 1);
            if (line) {
                ensemble.counts.add(
                        decision.edits().isEmpty() ? "lines that were not empty" : "empty lines removed by clients");
            }
            propose(decision, by, done, SimZkTxn.NOTHING);
        }
    }

    private boolean isContainer(String path) {
        Znode node = prep.head().find(path);
        return node != null && node.container();
    }

    /** A request of nobody's session; {@code onCommit} is run if it does anything, just before it takes effect. */
    /** What has been decided so far, committed or not. */
    SimTree head() {
        return prep.head();
    }

    void byHand(SimRequest.Multi request, Runnable onCommit) {
        Decision decision = prep.multi(0, request.ops(), zxid + 1);
        propose(decision, null, answer -> {}, decision.edits().isEmpty() ? SimZkTxn.NOTHING : onCommit);
    }

    /** The same without anybody to be told. */
    void byHand(SimRequest.Create request) {
        propose(prep.create(0, request, zxid + 1), null, answer -> {}, SimZkTxn.NOTHING);
    }

    void close(long session, @Nullable SimZkServer by, Consumer<Answer> done) {
        close(session, by, done, SimZkTxn.NOTHING);
    }

    /** {@code onCommit} is run just before it takes effect. */
    void close(long session, @Nullable SimZkServer by, Consumer<Answer> done, Runnable onCommit) {
        sessions.closing(session);
        Decision decision = prep.removeAll(prep.head().ephemeralsOf(session), zxid + 1);
        propose(decision.edits(), session, 0, by, decision.answer(), done, onCommit);
    }

    private void propose(Decision decision, @Nullable SimZkServer by, Consumer<Answer> done, Runnable onCommit) {
        propose(decision.edits(), 0, 0, by, decision.answer(), done, onCommit);
    }

    private void propose(
            List<Edit> edits,
            long session,
            long timeout,
            @Nullable SimZkServer by,
            Answer answer,
            Consumer<Answer> done,
            Runnable onCommit) {
        zxid++;
        var txn = new SimZkTxn(zxid, history.size(), edits, session, timeout, answer.at(zxid), by, done, onCommit);
        history.add(txn);
        outstanding.add(txn);
        leader.append(txn, () -> acknowledged(leader, txn.zxid()));
        links.values().forEach(link -> propose(link, txn));
    }

    private static void propose(SimZkLink link, SimZkTxn txn) {
        link.proposed(txn.zxid());
        link.toFollower(() -> link.follower().proposed(link, txn));
    }

    /** A server has this one in its log, and all before it. */
    void acknowledged(SimZkServer by, long upTo) {
        acknowledged[by.number()] = Math.max(acknowledged[by.number()], upTo);
        while (!over && !outstanding.isEmpty() && hasQuorum(outstanding.peek().zxid())) {
            commit(outstanding.remove());
        }
    }

    private boolean hasQuorum(long upTo) {
        int have = 0;
        for (long each : acknowledged) {
            have += each >= upTo ? 1 : 0;
        }
        return ensemble.quorum(have);
    }

    private void commit(SimZkTxn txn) {
        committed++;
        if (txn.closesSession()) {
            sessions.remove(txn.session());
        }
        ensemble.committed(txn);
        links.values().forEach(link -> link.toFollower(() -> link.follower().commit(link, txn)));
        leader.apply(txn);
    }

    // ---- its rounds

    /** Twice per tick; a round that was missed while the process stood still comes as soon as it goes on. */
    private void lead() {
        if (over) {
            return;
        }
        if (leader.frozen()) {
            ensemble.sim.inBackgroundAt(leader.frozenUntil(), this::lead);
            return;
        }
        List.copyOf(links.values()).forEach(this::checkFollower);
        if (!skip && !quorum()) {
            ensemble.counts.add("leaders that stepped down");
            leader.leave("not enough followers");
            return;
        }
        skip = !skip;
        links.values().stream().filter(SimZkLink::synced).forEach(this::ping);
        ensemble.sim.inBackgroundAt(leader.when(ensemble.tick().dividedBy(2)), this::lead);
    }

    private void checkFollower(SimZkLink link) {
        long patience = (link.synced() ? ensemble.patience() : ensemble.initialPatience()).toNanos();
        if (leader.clock() - link.leaderHeard() > patience) {
            lost(link, "nothing heard from it");
        } else if (link.waitingForAck() > patience) {
            ensemble.counts.add("followers given up for want of an acknowledgement");
            lost(link, "it does not acknowledge");
        }
    }

    private void ping(SimZkLink link) {
        link.toFollower(() -> link.follower().asked(link));
    }

    Stream<SimZkLink> links() {
        return links.values().stream();
    }

    void numberFrom(int first) {
        prep.numberFrom(first);
    }

    void lost(SimZkLink link, String why) {
        if (links.remove(link.follower(), link)) {
            ensemble.note("leader " + leader.number() + " loses server "
                    + link.follower().number() + ": " + why);
            link.closedByLeader(false);
        }
    }

    private void expireLater() {
        ensemble.sim.inBackgroundAt(leader.whenNextTick(ensemble.tick()), this::expire);
    }

    private void expire() {
        if (over) {
            return;
        }
        if (leader.frozen()) {
            ensemble.sim.inBackgroundAt(leader.frozenUntil(), this::expire);
            return;
        }
        for (long session : sessions.takeOff()) {
            long pause = pauseBeforeTheEnd(session);
            if (pause == 0) {
                end(session);
            } else {
                ensemble.counts.add("sessions that could be used after their time was up");
                ensemble.sim.inBackgroundAt(ensemble.sim.now() + pause, () -> end(session));
            }
        }
        expireLater();
    }

    private void end(long session) {
        if (over || !sessions.alive(session)) {
            return;
        }
        if (leader.frozen()) {
            ensemble.sim.inBackgroundAt(leader.frozenUntil(), () -> end(session));
            return;
        }
        ensemble.counts.add(firm() ? "expiries" : "expiries at a leader without a quorum");
        ensemble.note("session " + Long.toHexString(session) + " expires at " + leader.number());
        close(session, null, answer -> {});
    }

    /** How slow the tracker's thread is. From the session itself, so that earlier seeds play what they played. */
    private long pauseBeforeTheEnd(long session) {
        var slowness = new SplittableRandom(session ^ zxid);
        return slowness.nextInt(3) == 0 ? slowness.nextLong(ensemble.tick().toNanos() / 2) : 0;
    }

    private void reapLater() {
        ensemble.sim.inBackgroundAt(ensemble.sim.now() + chance.nextLong(500 * MILLI, 8_000 * MILLI), () -> {
            if (!over && !leader.frozen()) {
                for (String path : prep.head().idleContainers()) {
                    ensemble.counts.add("reaped containers");
                    propose(prep.removeAll(List.of(path), zxid + 1), null, answer -> {}, SimZkTxn.NOTHING);
                }
            }
            if (!over) {
                reapLater();
            }
        });
    }

    /** The leader is no more; silently if its machine has gone with it. */
    void end(boolean silently) {
        over = true;
        links.values().forEach(link -> link.closedByLeader(silently));
        links.clear();
    }
}
