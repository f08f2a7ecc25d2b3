package io.baton.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.tck.mutation.LockSteps;
import io.baton.testkit.LongRun;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What the simulation never does it cannot try. {@code -Dbaton.steps.seeds=20000} looks at more seeds, and expects more. */
class EtcdLockStepsTest {

    private static final long SEEDS = Long.getLong("baton.steps.seeds", LongRun.rounds(80, 200));

    @Test
    void simulation_stepsOfTheAcquisition_areAllTaken() {
        Map<String, Long> steps = LockSteps.count(EtcdLockSimulationSeed.class, LongStream.range(0, SEEDS));
        System.out.println("steps of acquisitions in " + SEEDS + " schedules: " + steps);
        assertThat(steps).containsKeys(LockSteps.expected(SEEDS).toArray(String[]::new));
    }
}
