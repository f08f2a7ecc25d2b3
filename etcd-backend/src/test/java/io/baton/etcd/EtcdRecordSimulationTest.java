package io.baton.etcd;

import io.baton.testkit.LongRun;
import io.baton.testkit.sim.Seeds;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Followers of records on simulated etcd clusters, under faults. {@link Seeds} says how to run more seeds, or a single
 * one, which then does again exactly what it did; {@code ./simulate --records} does it for you.
 */
class EtcdRecordSimulationTest {

    private static final int SEEDS = LongRun.rounds(50, 100);

    /** What has to have happened in that many runs. */
    private static final List<String> ALL = List.of(
            "answers too large",
            "backups restored",
            "batches of one",
            "batches of several",
            "clients closed",
            "clients killed",
            "disconnects",
            "elections",
            "events the server forgot",
            "events the server lost",
            "faults",
            "first snapshots",
            "later pages of a tree",
            "leases revoked by an operator",
            "members restarted",
            "outages",
            "pages of a revision compacted",
            "records recreated",
            "restored backups seen",
            "snapshots after a gap",
            "transactions over several records",
            "watches ended by the server",
            "watches of a revision compacted",
            "writes between pages",
            "writes by hand");

    @Test
    void records_manySeedsOfFaults_everyStateToldWasThereAndTheLastIsTold() {
        new Seeds().runAsked("etcd records", SEEDS, EtcdRecordSimulation::new, ALL);
    }

    @Test
    void run_sameSeedTwice_sameTrace() {
        Seeds.checkRepeatable(EtcdRecordSimulation::new, 1, 17);
    }
}
