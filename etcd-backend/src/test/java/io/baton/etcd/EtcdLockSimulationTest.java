package io.baton.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.tck.mutation.PlantedBugs;
import io.baton.tck.sim.SimulationKind;
import io.baton.tck.sim.SimulationSuite;
import java.util.List;
import java.util.Map;

/** The lock on simulated etcd clusters, under faults. */
class EtcdLockSimulationTest extends SimulationSuite {

    /** What happens once in some hundred runs. */
    private static final String RARE = "leases ended by a deposed leader, with nothing on them";

    EtcdLockSimulationTest() {
        super(new EtcdSimulations(), SimulationKind.LOCKS, "etcd", 250, 2_000);
    }

    @Override
    protected List<String> events() {
        return List.of(
                "applied and out of space",
                "changes told",
                "doubts: joined",
                "doubts: not joined",
                "entries of other programs",
                "epochs raised",
                "events the server forgot",
                "events to followers",
                "events to watchers of one",
                "first snapshots",
                "joins in doubt",
                "joins that took departures along",
                "late events",
                "late answers",
                "late watches",
                "leaders replaced while their disk stalls",
                "leases ended by a deposed leader",
                "leases revoked by an operator",
                "lost proposals",
                "members cut off",
                "members frozen",
                "members overloaded",
                "members restarted",
                "members that drop their clients",
                "members that lag",
                "moves to another lease",
                "moves to another lease in doubt",
                "moves to another lease refused",
                "operations limited",
                "other programs back under the same key",
                "out of space",
                "overloads",
                "permissions to read revoked",
                "permissions to write revoked",
                "predecessors watched",
                "reads not confirmed",
                "refused: leases not granted",
                "refused: no space",
                "refused: revocations denied",
                "refused: too many operations",
                "refused: writes denied",
                "renewals by a deposed leader",
                "renewals handed on",
                "snapshots after a gap",
                "stragglers",
                "watches ended by the server",
                "watches refused");
    }

    @Override
    protected void check(Map<String, Long> totals, long runs) {
        assertThat(totals).as("what a server refuses unseen").doesNotContainKey("requests refused");
        if (runs >= 2_000) {
            assertThat(totals).containsKey(RARE);
        }
    }

    @Override
    protected void plant(PlantedBugs bugs) {
        EtcdLockBugs.plant(bugs);
    }
}
