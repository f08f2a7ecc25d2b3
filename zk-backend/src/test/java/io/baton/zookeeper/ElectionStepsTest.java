package io.baton.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.tck.mutation.ElectionSteps;
import io.baton.testkit.LongRun;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What the simulation never does it cannot try. {@code -Dbaton.steps.seeds=3000} looks at more seeds, and expects more. */
class ElectionStepsTest {

    private static final long SEEDS = Long.getLong("baton.steps.seeds", LongRun.rounds(40, 100));

    @Test
    void simulation_stepsOfACandidacy_areAllTaken() {
        Map<String, Long> steps = ElectionSteps.count(ElectionSimulationSeed.class, LongStream.range(0, SEEDS));
        System.out.println("steps of candidacies in " + SEEDS + " schedules: " + steps);
        assertThat(steps).containsKeys(ElectionSteps.expected(SEEDS).toArray(String[]::new));
        assertThat(steps.keySet())
                .allSatisfy(step ->
                        assertThat(ElectionSteps.impossible(step)).as(step).isEmpty());
    }
}
