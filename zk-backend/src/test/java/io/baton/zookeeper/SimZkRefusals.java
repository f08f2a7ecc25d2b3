package io.baton.zookeeper;

import io.baton.testkit.sim.SimCounts;
import io.baton.testkit.sim.Simulation;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * What a simulated ensemble refuses for a while, as where an operator has changed the ACLs of a line and of what stands in it,
 * where a quota is used up, or where a server has too much to do.
 *
 * <p>On which facts of the sources that rests:
 *
 * <ul>
 *   <li>To create and to delete takes a permission of the node above, to read, to list and to check one of the node itself; whether
 *       the node is there is looked at first, but for a deletion ({@code PrepRequestProcessor.pRequest2Txn},
 *       {@code FinalRequestProcessor}). To watch a tree takes none; but nobody is told of a node that he may not read, and the
 *       watch is used up ({@code NIOServerCnxn.process}, since CVE-2024-23944).
 *   <li>A quota is looked at last, of creations ({@code ZooKeeperServer.checkQuota}, with {@code enforceQuota}).
 *   <li>A request that has waited for too long is answered THROTTLEDOP in its turn, whatever it is, multis and the watches of a
 *       client that has come back included; not pings, nor what opens and ends sessions. Nobody else hears of it, but the
 *       session counts as heard of ({@code RequestThrottler.shouldThrottleOp}, {@code Request.isThrottlable},
 *       {@code ZooKeeperServer.submitRequestNow}).
 * </ul>
 *
 * <p>What is done by hand is never refused.
 */
final class SimZkRefusals {

    /** What an ACL lets somebody do. */
    enum Right {
        CREATE,
        DELETE,
        READ
    }

    private record Acl(String line, Right right) {}

    private record Busy(long until, int oneIn) {}

    private static final Busy IDLE = new Busy(Long.MIN_VALUE, 1);

    /** A removal that was refused is asked for again after half a minute at most. */
    private static final long MUCH_LATER = Duration.ofSeconds(31).toNanos();

    private final Simulation sim;
    private final SimCounts counts;
    private final SplittableRandom chance;
    private final Map<Acl, Long> until = new HashMap<>();
    private final Map<SimZkServer, Busy> busy = new HashMap<>();
    private long exhaustedUntil = Long.MIN_VALUE;
    private boolean watchesToo;

    SimZkRefusals(Simulation sim, SimCounts counts) {
        this.sim = sim;
        this.counts = counts;
        this.chance = sim.chance();
    }

    /** Nobody may do that in the line at this path, for so long. */
    void forbid(String line, Right right, Duration time) {
        note("nobody may " + right + " in " + line + " for " + time);
        counts.add("rights revoked: " + right);
        until.merge(new Acl(line, right), sim.now() + time.toNanos(), Math::max);
    }

    /** A quota is used up for so long. */
    void exhaust(Duration time) {
        note("the quota is used up for " + time);
        counts.add("quotas used up");
        exhaustedUntil = Math.max(exhaustedUntil, sim.now() + time.toNanos());
    }

    /** This server answers one in so many requests that it has too much to do, for so long. */
    void throttle(SimZkServer server, int oneIn, Duration time) {
        note("server " + server.number() + " throttles one in " + oneIn + " for " + time);
        counts.add("servers that throttle");
        busy.put(server, new Busy(sim.now() + time.toNanos(), oneIn));
    }

    /** Also those by which clients that have come back set their watches again, of which their library does not hear. */
    void throttleWatchesToo() {
        watchesToo = true;
    }

    /** All is allowed again. */
    void end() {
        until.replaceAll((acl, when) -> Math.min(when, sim.now()));
        exhaustedUntil = Math.min(exhaustedUntil, sim.now());
        busy.clear();
    }

    boolean mayCreateIn(String line) {
        return may(line, Right.CREATE, "creations denied");
    }

    boolean mayDeleteIn(String line) {
        return may(line, Right.DELETE, "deletions denied");
    }

    /** The line itself, or what stands in it. */
    boolean mayRead(String path) {
        return until.isEmpty()
                || may(path, Right.READ, "reads denied") && may(SimTree.parentOf(path), Right.READ, "reads denied");
    }

    boolean exhausted() {
        return refuses(sim.now() < exhaustedUntil, "quota exceeded");
    }

    boolean isBusy(SimZkServer server) {
        return sim.now() < busy.getOrDefault(server, IDLE).until();
    }

    boolean throttles(SimZkServer server, SimRequest request) {
        boolean exempt = request instanceof SimRequest.Ping
                || request instanceof SimRequest.CloseSession
                || request instanceof SimRequest.SetWatches && !watchesToo;
        return !exempt
                && isBusy(server)
                && refuses(chance.nextInt(busy.get(server).oneIn()) == 0, "throttled");
    }

    /** See {@link io.baton.tck.sim.lock.LockTruth#unrefusedNanos}; at this path is the line. */
    long unrefusedNanos(String line) {
        Long end = until.get(new Acl(line, Right.DELETE));
        return end == null ? Long.MAX_VALUE : Math.max(0, sim.now() - end - MUCH_LATER);
    }

    private boolean may(String line, Right right, String otherwise) {
        return !refuses(sim.now() < until.getOrDefault(new Acl(line, right), Long.MIN_VALUE), otherwise);
    }

    private boolean refuses(boolean refused, String what) {
        counts.add("refused: " + what, refused ? 1 : 0);
        return refused;
    }

    private void note(String what) {
        sim.note("zookeeper", what);
    }
}
