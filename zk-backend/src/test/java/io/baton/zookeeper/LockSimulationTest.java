package io.baton.zookeeper;

import io.baton.tck.mutation.PlantedBugs;
import io.baton.tck.sim.SimulationKind;
import io.baton.tck.sim.SimulationSuite;
import java.util.List;

/** The lock on simulated ZooKeepers, under faults. */
class LockSimulationTest extends SimulationSuite {

    LockSimulationTest() {
        super(new ZooKeeperSimulations(), SimulationKind.LOCKS, "zookeeper", 250, 2_000);
    }

    @Override
    protected List<String> events() {
        return List.of(
                "clients confined to one server",
                "commits",
                "empty lines removed by clients",
                "events not told for want of a right",
                "entries written by hand",
                "expiries at a leader without a quorum",
                "first entries deleted by hand together",
                "followers given up for want of an acknowledgement",
                "followers killed",
                "followers that heard nothing from their leader",
                "followers cut off just after a commit",
                "given up by the library",
                "grants past the last number",
                "half-open connections",
                "histories taken over",
                "leaders killed",
                "leaders that began to serve",
                "leaders that stepped down",
                "lines no longer followed",
                "lines that were not empty",
                "proposals kept by the next leader",
                "proposals thrown away",
                "quotas used up",
                "reads answered by a deposed leader",
                "reaped containers",
                "refused connects: behind the client",
                "refused connects: no leader",
                "refused: creations denied",
                "refused: deletions denied",
                "refused: quota exceeded",
                "refused: throttled",
                "removals told by following",
                "requests behind the leader's question",
                "requests dropped by a leader",
                "rights revoked: CREATE",
                "rights revoked: DELETE",
                "rights revoked: READ",
                "servers cut off",
                "servers frozen",
                "servers restarted",
                "servers that drop their clients",
                "servers that lag",
                "servers that throttle",
                "sessions carried over",
                "sessions ended by hand",
                "stale reads",
                "watches that a server forgot");
    }

    @Override
    protected void plant(PlantedBugs bugs) {
        LockBugs.plant(bugs);
    }
}
