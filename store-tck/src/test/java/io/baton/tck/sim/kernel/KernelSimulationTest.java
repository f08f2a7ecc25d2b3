package io.baton.tck.sim.kernel;

import io.baton.testkit.LongRun;
import io.baton.testkit.sim.Seeds;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Sessions of stores that do whole steps keep their rules on a server in trouble. */
class KernelSimulationTest {

    private static final int DAILY = 50;
    private static final int ENOUGH_FOR_ALL = 200;
    private static final int LONG = 5_000;

    @Test
    void kernel_manySeedsOfFaults_breaksNoRule() {
        new Seeds()
                .runAsked(
                        "kernel",
                        LongRun.rounds(DAILY, LONG),
                        ENOUGH_FOR_ALL,
                        KernelRun::new,
                        List.of(
                                "clients frozen",
                                "clients killed",
                                "clients suspended",
                                "clock steps",
                                "contacts broken",
                                "contacts that are half open",
                                "entries removed by hand",
                                "events lost",
                                "fail-overs",
                                "grants",
                                "holds lost",
                                "removals that had to wait",
                                "server frozen",
                                "sessions expired",
                                "sessions lost",
                                "steps lost in fail-overs",
                                "steps of a former epoch",
                                "waits",
                                "writes"));
    }

    @Test
    void kernel_sameSeedTwice_sameTrace() {
        Seeds.checkRepeatable(KernelRun::new, 1, 17);
    }
}
