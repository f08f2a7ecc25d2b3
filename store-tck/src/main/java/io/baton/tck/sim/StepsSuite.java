package io.baton.tck.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.tck.mutation.ElectionSteps;
import io.baton.tck.mutation.LockSteps;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Checks that the simulations on each store take all steps of the state machines; a step that never happens is not
 * tested. {@code -Dbaton.steps.seeds=20000} runs more seeds, and expects more steps.
 */
public abstract class StepsSuite {

    private final Simulations simulations;
    private final long lockSeeds = Long.getLong("baton.steps.seeds", 500);
    private final long electionSeeds = Long.getLong("baton.steps.seeds", 100);

    /** Counts the steps in the simulations of a store. */
    protected StepsSuite(Simulations simulations) {
        this.simulations = simulations;
    }

    @Test
    void simulation_stepsOfTheAcquisition_areAllTaken() {
        Map<String, Long> steps =
                LockSteps.count(simulations.getClass(), SimulationKind.LOCKS.name(), LongStream.range(0, lockSeeds));
        System.out.println("steps of acquisitions in " + lockSeeds + " schedules: " + steps);
        assertThat(steps).containsKeys(LockSteps.expected(lockSeeds).toArray(String[]::new));
    }

    @Test
    void simulation_stepsOfACandidacy_areAllTaken() {
        Map<String, Long> steps = ElectionSteps.count(
                simulations.getClass(), SimulationKind.ELECTIONS.name(), LongStream.range(0, electionSeeds));
        System.out.println("steps of candidacies in " + electionSeeds + " schedules: " + steps);
        assertThat(steps).containsKeys(ElectionSteps.expected(electionSeeds).toArray(String[]::new));
        assertThat(steps.keySet())
                .allSatisfy(step ->
                        assertThat(ElectionSteps.impossible(step)).as(step).isEmpty());
    }
}
