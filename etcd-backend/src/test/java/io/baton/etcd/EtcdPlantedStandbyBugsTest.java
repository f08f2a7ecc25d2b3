package io.baton.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.tck.mutation.PlantedBugs;
import io.baton.tck.mutation.StandbyBugs;
import io.baton.tck.mutation.Verdict;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The simulation of active and standby nodes is able to fail: {@link StandbyBugs}, planted in copies of our own
 * sources, are found by it. {@code -Dbaton.planted.seeds=2000} looks for each in more seeds.
 */
class EtcdPlantedStandbyBugsTest {

    private static final int SEEDS = Integer.getInteger("baton.planted.seeds", 1_000);

    @Test
    void simulation_bugPlantedInACopy_isFound() {
        List<Verdict> verdicts = bugs().search(SEEDS);
        System.out.println("planted bugs, and the seeds that it took to find them:\n" + PlantedBugs.table(verdicts));
        assertThat(verdicts)
                .allSatisfy(each -> assertThat(each.found()).as("%s", each).isTrue());
    }

    @Test
    void simulation_noBugPlantedInTheCopy_findsNone() {
        var none = new PlantedBugs(EtcdStandbySimulationSeed.class, "etcd-backend");
        assertThat(none.searchInVain(20)).isEqualTo(Verdict.unnoticed("none", 20));
    }

    private static PlantedBugs bugs() {
        return StandbyBugs.in(EtcdStandbySimulationSeed.class, "etcd-backend");
    }
}
