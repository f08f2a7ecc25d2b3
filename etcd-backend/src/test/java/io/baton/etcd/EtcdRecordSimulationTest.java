package io.baton.etcd;

import io.baton.tck.mutation.PlantedBugs;
import io.baton.tck.sim.SimulationKind;
import io.baton.tck.sim.SimulationSuite;
import java.util.List;

/** Followers of records on simulated etcd clusters, under faults. */
class EtcdRecordSimulationTest extends SimulationSuite {

    EtcdRecordSimulationTest() {
        super(new EtcdSimulations(), SimulationKind.RECORDS, "etcd records", 100, 1_000);
    }

    @Override
    protected List<String> events() {
        return List.of(
                "answers too large",
                "backups restored",
                "events the server forgot",
                "events the server lost",
                "first snapshots",
                "later pages of a tree",
                "leases revoked by an operator",
                "members restarted",
                "outages",
                "pages of a revision compacted",
                "restored backups seen",
                "watches ended by the server",
                "watches of a revision compacted",
                "writes between pages",
                "writes by hand");
    }

    @Override
    protected void plant(PlantedBugs bugs) {
        EtcdRecordBugs.plant(bugs);
    }
}
