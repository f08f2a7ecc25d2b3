package io.baton.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.testkit.sim.Seeds;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Followers of records on simulated etcd clusters, under faults. {@link Seeds} says how to run more seeds, or a single
 * one, which then does again exactly what it did; {@code ./simulate --records} does it for you.
 */
class EtcdRecordSimulationTest {

    private static final int SEEDS = 100;

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
        Map<String, Long> totals = new Seeds().run("etcd records", Seeds.asked(SEEDS), EtcdRecordSimulationTest::run);
        if (Seeds.asked(SEEDS).count() >= SEEDS) {
            assertThat(ALL)
                    .allSatisfy(what ->
                            assertThat(totals.getOrDefault(what, 0L)).as(what).isPositive());
        }
    }

    @Test
    void run_sameSeedTwice_sameTrace() {
        for (long seed : new long[] {Seeds.only() == null ? 1 : Seeds.only(), 17, 42}) {
            var once = new EtcdRecordSimulation(seed);
            var again = new EtcdRecordSimulation(seed);
            once.run(new TreeMap<>());
            again.run(new TreeMap<>());
            assertThat(again.trace().lines()).isEqualTo(once.trace().lines());
            assertThat(again.trace().fingerprint()).isEqualTo(once.trace().fingerprint());
        }
    }

    private static boolean run(long seed, Map<String, Long> totals) {
        return new EtcdRecordSimulation(seed).run(totals);
    }
}
