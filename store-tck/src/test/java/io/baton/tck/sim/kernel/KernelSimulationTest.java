package io.baton.tck.sim.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.tck.mutation.PlantedBugs;
import io.baton.tck.mutation.Verdict;
import io.baton.testkit.LongRun;
import io.baton.testkit.sim.Seeds;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Sessions of stores that do whole steps keep their rules on a server in trouble, and bugs planted in them are found. */
class KernelSimulationTest {

    private static final int DAILY = 200;
    private static final int LONG = 1_500;
    private static final int SEEDS_PER_BUG = Integer.getInteger("baton.planted.seeds", 2_000);

    @Test
    void kernel_manySeedsOfFaults_breaksNoRule() {
        new Seeds()
                .runAsked(
                        "kernel",
                        LongRun.rounds(DAILY, LONG),
                        DAILY,
                        KernelRun::new,
                        List.of(
                                "clients frozen",
                                "clients killed",
                                "clients suspended",
                                "clock steps",
                                "contacts broken",
                                "contacts that are half open",
                                "downgrades",
                                "entries removed by hand",
                                "events lost",
                                "fail-overs",
                                "grants: EXCLUSIVE",
                                "grants: PERMITS",
                                "grants: SHARED",
                                "holds lost",
                                "permits that had to wait",
                                "removals that had to wait",
                                "server frozen",
                                "sessions closed",
                                "sessions expired",
                                "sessions lost",
                                "steps lost in fail-overs",
                                "steps of a former epoch",
                                "steps refused",
                                "waits",
                                "writes",
                                "writes refused"));
    }

    @Test
    void kernel_seedsThatEverFailed_doNoMore() {
        LongStream failed = Seeds.of(KernelSimulationTest.class, "failed-kernel-seeds");
        new Seeds().run("kernel, once failed", failed, KernelRun::new);
    }

    @Test
    void kernel_sameSeedTwice_sameTrace() {
        Seeds.checkRepeatable(KernelRun::new, 1, 17);
    }

    @Test
    void kernel_noBugPlantedInTheCopy_findsNone() {
        int some = LongRun.rounds(1, 20);
        assertThat(KernelBugs.all().searchInVain(some)).isEqualTo(Verdict.unnoticed("none", some));
    }

    /** A fifth of the bugs every day, all in the long run. */
    @Test
    void kernel_bugPlantedInACopy_isFound() {
        PlantedBugs bugs = KernelBugs.all();
        if (!LongRun.asked() && !PlantedBugs.allAsked()) {
            bugs.sample(5);
        }
        List<Verdict> verdicts = bugs.search(SEEDS_PER_BUG);
        System.out.println("planted bugs, and the seeds that it took to find them:\n" + PlantedBugs.table(verdicts));
        assertThat(verdicts)
                .isNotEmpty()
                .allSatisfy(each -> assertThat(each.found()).as("%s", each).isTrue());
    }
}
