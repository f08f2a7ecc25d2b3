package io.baton.zookeeper;

import io.baton.testkit.sim.SimCounts;
import io.baton.testkit.sim.SimProcess;
import io.baton.testkit.sim.Simulation;
import io.baton.zookeeper.wire.ZkWire;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.apache.zookeeper.CreateMode;

/**
 * A model of a ZooKeeper ensemble: elections as what they promise, leaders and followers as they are. With one server it
 * is a standalone one.
 *
 * <p>What it rests on, as read in ZooKeeper 3.9.5:
 *
 * <ul>
 *   <li>Whoever has the newest epoch in its history, then the highest zxid in its log, then the highest id, is elected by
 *       a quorum that can talk ({@code FastLeaderElection.totalOrderPredicate}); not before a while has passed, which is
 *       200 ms ({@code finalizeWait}) where a tick is 2 s, and here a tenth of a tick or more. Who is too late joins the leader that the others have.
 *   <li>The new epoch is one more than any that this quorum has accepted ({@code Leader.getEpochToPropose}); zxids begin
 *       at (epoch, 0) ({@code Leader.lead}). Alone, a server goes on where its log ends.
 *   <li>A leader takes all of its log for committed, also what was never acknowledged, once a quorum has that history
 *       ({@code waitForNewLeaderAck}); a follower throws away whatever else it has ({@code LearnerHandler.syncFollower},
 *       TRUNC). So what a quorum has logged survives, and other proposals may or may not; a server that gives up leading
 *       or following keeps in its log what was proposed to it ({@code ZooKeeperServer.shutdown},
 *       {@code fastForwardDataBase}).
 *   <li>The leader that begins to serve has a new session tracker, in which every session has its full timeout from then
 *       on and no owner ({@code Leader.startZkServer}, {@code SessionTrackerImpl}). Sessions are opened and ended by
 *       transactions, which survive or not like others.
 *   <li>A follower notes which sessions it has heard of, and tells the leader only when asked, twice per tick
 *       ({@code Learner.ping}, {@code LearnerSessionTracker}); a write that it hands on prolongs no session. The leader's
 *       own clients do at once, and so does coming back ({@code Leader.revalidateSession}).
 *   <li>A request that comes by another way than its session's owner is refused, and the connection closed
 *       ({@code SessionTrackerImpl.checkSession}); closing a session is not checked.
 *   <li>Leader and follower give each other up after syncLimit ticks of silence (their sockets' timeouts), the leader also
 *       a follower that leaves a proposal unacknowledged for so long ({@code SyncLimitCheck}). Once per tick the leader
 *       looks whether it has a quorum of followers; if not, it steps down ({@code Leader.lead}). It serves until then:
 *       a leader that was frozen does so for up to a tick after others have elected another.
 *   <li>Whoever steps down, or loses its leader, closes its clients' connections, and refuses new ones until it leads or
 *       follows again ({@code closeAllConnections}, {@code setZooKeeperServer(null)}).
 *   <li>A server refuses a client that has seen a newer zxid than the server has; a follower that has joined without
 *       missing anything does not know the zxid with which the new epoch begins ({@code processConnectRequest}).
 *   <li>Each server keeps time by its own monotonic clock.
 * </ul>
 *
 * <p>An election is one step here, in which the voters agree; the real one is many messages.
 */
final class SimZooKeeper {

    private static final long MILLI = 1_000_000;

    final Simulation sim;
    final SimCounts counts = new SimCounts();
    private final SimZkRefusals refusals;
    private final SplittableRandom chance;
    private final Duration tick;
    private final Duration patience;
    private final Map<SimProcess, Long> unreachable = new HashMap<>();
    private final Map<SimProcess, Confined> confined = new HashMap<>();
    private final List<SimZkServer> servers = new ArrayList<>();
    private final List<SimZkTxn> history = new ArrayList<>();
    private final SimTree committed = new SimTree();
    private final List<SimZkReign> reigns = new ArrayList<>();
    private Runnable afterEachCommit = () -> {};
    private SimZkReign newest;
    private long newestEpoch;
    private boolean looking;
    private boolean answersFirst = true;
    private boolean admitsEarly;
    private int firstNumber;

    private record Confined(SimZkServer server, long until) {}

    /** One whose servers' clocks run alike. */
    SimZooKeeper(Simulation sim, int members, Duration tick, int syncLimit) {
        this(sim, members, tick, syncLimit, 0);
    }

    /**
     * One that serves, all of its servers being there. Session timeouts are between 2 and 20 ticks.
     *
     * @param syncLimit after how many ticks of silence leader and followers give each other up
     * @param driftPpm how many millionths the servers' clocks may run too fast or too slow
     */
    SimZooKeeper(Simulation sim, int members, Duration tick, int syncLimit, int driftPpm) {
        this.sim = sim;
        this.refusals = new SimZkRefusals(sim, counts);
        this.tick = tick;
        this.patience = tick.multipliedBy(syncLimit);
        this.chance = sim.chance();
        for (int i = 0; i < members; i++) {
            servers.add(new SimZkServer(this, i, driftPpm));
        }
        newest = elect(servers);
        while (!servers.stream().allMatch(SimZkServer::serves)) {
            sim.runFor(Duration.ofMillis(5));
        }
    }

    Duration tick() {
        return tick;
    }

    Duration patience() {
        return patience;
    }

    /** As initLimit, for what has to be done before a follower follows. */
    Duration initialPatience() {
        return patience().multipliedBy(2);
    }

    List<SimZkServer> servers() {
        return servers;
    }

    /** What it refuses at present. */
    SimZkRefusals refusals() {
        return refusals;
    }

    boolean standalone() {
        return servers.size() == 1;
    }

    boolean quorum(int many) {
        return many > servers.size() / 2;
    }

    /** The server that was elected last. */
    SimZkServer leader() {
        return newest.leader();
    }

    /** Of the server that was elected last. */
    SimZkReign reign() {
        return newest;
    }

    /** Whether a leader serves that has a quorum. */
    boolean ready() {
        return newest.firm();
    }

    /** Whether this server, the leader and a quorum serve without delay. */
    boolean serves(SimZkServer server) {
        int well = 0;
        for (SimZkServer each : servers) {
            well += each.well(newest) ? 1 : 0;
        }
        return quorum(well) && server.well(newest) && leader().well(newest) && ready();
    }

    // ---- what is true

    /** What has been committed so far, which no client can know sooner. */
    SimTree committed() {
        return committed;
    }

    /** A new leader may commit several at once. */
    void afterEachCommit(Runnable task) {
        afterEachCommit = task;
    }

    /** How many transactions have been committed. */
    long commits() {
        return history.size();
    }

    long committedZxid() {
        return history.isEmpty() ? 0 : history.get(history.size() - 1).zxid();
    }

    /** Whether this session has been opened, and not been ended. */
    boolean alive(long session) {
        return committed.sessions().containsKey(session);
    }

    /** A leader has had a transaction acknowledged by a quorum. */
    void committed(SimZkTxn txn) {
        if (txn.index() < history.size()) {
            must(history.get(txn.index()) == txn, "two histories are committed");
            return;
        }
        must(txn.index() == history.size(), "committed out of order");
        history.add(txn);
        txn.onCommit().run();
        committed.apply(txn);
        afterEachCommit.run();
    }

    /**
     * A leader begins to serve: its whole history is committed. If it stood still as its followers acknowledged that, others
     * may have gone on with a newer leader before it begins; they have all that it has.
     */
    void activated(SimZkReign reign, List<SimZkTxn> whole) {
        int before = history.size();
        int common = Math.min(whole.size(), before);
        must(common == 0 || whole.get(common - 1) == history.get(common - 1), "a leader has another history");
        boolean deposed = reign.epoch() < newestEpoch;
        must(deposed ? common == whole.size() : common == before, "a leader lacks what was committed, or has more");
        newestEpoch = Math.max(newestEpoch, reign.epoch());
        whole.subList(common, whole.size()).forEach(this::committed);
        counts.add(deposed ? "leaders that began to serve when deposed" : "leaders that began to serve");
        counts.add("proposals kept by the next leader", whole.size() - common);
        counts.add("sessions carried over", reign.leader().tree().sessions().size());
        note("server " + reign.leader().number() + " leads in epoch " + reign.epoch());
    }

    /** Adds how often what has happened. */
    void addTo(Map<String, Long> totals) {
        counts.add("commits", commits());
        counts.addTo(totals);
    }

    private static void must(boolean claim, String otherwise) {
        if (!claim) {
            throw new AssertionError("the model is wrong: " + otherwise);
        }
    }

    // ---- elections

    /** Somebody looks for a leader. */
    void lookSoon() {
        if (!looking) {
            looking = true;
            sim.inBackgroundAt(sim.now() + chance.nextLong(tick.toNanos() / 10, tick.toNanos() / 2), () -> {
                looking = false;
                look();
            });
        }
    }

    private void look() {
        List<SimZkServer> lookers = servers.stream()
                .filter(server -> server.role() == SimZkServer.Role.LOOKING && server.inTouch())
                .toList();
        if (known()) {
            lookers.forEach(server -> server.follow(newest));
        } else if (quorum(lookers.size())) {
            boolean oneIsLate = quorum(lookers.size() - 1) && chance.nextInt(3) == 0;
            newest = elect(oneIsLate ? but(any(lookers), lookers) : lookers);
        }
        if (servers.stream().anyMatch(server -> server.role() == SimZkServer.Role.LOOKING)) {
            lookSoon();
        }
    }

    private static List<SimZkServer> but(SimZkServer one, List<SimZkServer> all) {
        return all.stream().filter(server -> server != one).toList();
    }

    /** Whether whoever looks hears of a leader from that one itself, and from as many as make a quorum with it. */
    private boolean known() {
        SimZkServer leader = newest.leader();
        long followers = newest.over()
                ? 0
                : links().filter(link -> link.reign() == newest && link.open())
                        .filter(link -> link.follower().inTouch())
                        .count();
        return !newest.over() && leader.inTouch() && quorum(1 + (int) followers);
    }

    private SimZkReign elect(List<SimZkServer> voters) {
        SimZkServer winner = voters.get(0);
        long epoch = 0;
        for (SimZkServer voter : voters) {
            winner = voter.isAheadOf(winner) ? voter : winner;
            epoch = Math.max(epoch, voter.acceptedEpoch());
        }
        long next = standalone() && epoch > 0 ? epoch : epoch + 1;
        voters.forEach(voter -> voter.accept(next));
        counts.add("elections");
        note("server " + winner.number() + " is elected for epoch " + next);
        SimZkReign reign = winner.lead(next);
        reigns.removeIf(SimZkReign::over);
        reigns.add(reign);
        for (SimZkServer voter : voters) {
            if (voter != winner) {
                voter.follow(reign);
            }
        }
        reign.begin();
        return reign;
    }

    /** All that are open at either end. */
    Stream<SimZkLink> links() {
        return reigns.stream().flatMap(SimZkReign::links);
    }

    // ---- what others do

    /** Lines made from now on, by a leader that is still to be elected or by the first one, number their entries from here. */
    void numberFrom(int first) {
        firstNumber = first;
        newest.numberFrom(first);
    }

    int firstNumber() {
        return firstNumber;
    }

    /** Somebody else deletes a node; {@code before} is run just before that is so, if it comes to it. */
    void deleteByHand(String path, Runnable before) {
        deleteByHand(List.of(path), before);
    }

    /** The same of several nodes in one transaction, in this order. */
    void deleteByHand(List<String> paths, Runnable before) {
        if (ready()) {
            note("deleted by hand: " + String.join(", ", paths));
            List<ZkWire.ZkOp> deletes = paths.stream()
                    .<ZkWire.ZkOp>map(path -> new ZkWire.ZkOp.Delete(path, -1))
                    .toList();
            newest.byHand(new SimRequest.Multi(deletes), before);
        }
    }

    /** Somebody else writes into a node; {@code before} is run just before that is so, if it comes to it. */
    void writeByHand(String path, byte[] data, Runnable before) {
        if (ready()) {
            note("written by hand: " + path);
            newest.byHand(new SimRequest.Multi(List.of(new ZkWire.ZkOp.Write(path, data, -1))), before);
        }
    }

    /** Somebody else puts a node that lasts into a line. */
    void createByHand(String path) {
        if (ready()) {
            newest.byHand(new SimRequest.Create(path, new byte[0], CreateMode.PERSISTENT_SEQUENTIAL));
        }
    }

    /** Ends a session as if its client had been silent for too long. */
    void expireByHand(long session) {
        newest.close(session, null, answer -> {});
    }

    /** Somebody ends a session; {@code before} is run just before that is so, if it comes to it. */
    void endByHand(long session, Runnable before) {
        if (ready()) {
            note("ended by hand: session " + Long.toHexString(session));
            newest.close(session, null, answer -> {}, before);
        }
    }

    /** No server can be reached from this process for so long. */
    void isolate(SimProcess process, Duration time) {
        note(process.name() + " is cut off for " + time);
        counts.add("outages");
        unreachable.put(process, sim.now() + time.toNanos());
    }

    /** This process can reach no other server than this one for so long. */
    void confine(SimProcess process, SimZkServer server, Duration time) {
        note(process.name() + " reaches server " + server.number() + " only, for " + time);
        counts.add("clients confined to one server");
        confined.put(process, new Confined(server, sim.now() + time.toNanos()));
    }

    /** Virtual time from which on this process can reach this server. */
    long unreachableUntil(SimProcess process, SimZkServer server) {
        long until = unreachable.getOrDefault(process, 0L);
        Confined to = confined.get(process);
        return to == null || to.server == server ? until : Math.max(until, to.until);
    }

    /** No disk answers for so long: nothing is committed, while the leader goes on deciding. */
    void slowDown(Duration time) {
        counts.add("slow quorums");
        servers.forEach(server -> server.stall(time));
    }

    /** Whether a follower whose leader has been silent lets what it hands on wait for the leader's next question. */
    boolean answersFirst() {
        return answersFirst;
    }

    /** Then a leader that was silent may handle a write before it hears which sessions the follower has seen. */
    void doNotAnswerFirst() {
        answersFirst = false;
    }

    // ---- for servers

    /** Whether a server answers the client of a new session before it has what was committed before the session. */
    boolean admitsEarly() {
        return admitsEarly;
    }

    /** Then it does, as where sessions are local ones ({@code localSessionsEnabled}). */
    void admitEarly() {
        admitsEarly = true;
    }

    /** The session timeout that is granted to who asks for this one, in nanoseconds. */
    long granted(Duration asked) {
        return Math.max(2 * tick.toNanos(), Math.min(20 * tick.toNanos(), asked.toNanos()));
    }

    long latency() {
        return chance.nextInt(50) == 0 ? chance.nextLong(40 * MILLI) : chance.nextLong(MILLI / 10, MILLI);
    }

    /** How many of so many messages still arrive when a connection ends: mostly all. */
    int some(int many) {
        return many == 0 || chance.nextInt(3) > 0 ? many : chance.nextInt(many + 1);
    }

    void note(String what) {
        sim.note("zookeeper", what);
    }

    private <T> T any(List<T> of) {
        return of.get(chance.nextInt(of.size()));
    }
}
