package io.baton.tck.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.tck.mutation.PlantedBugs;
import io.baton.tck.mutation.Verdict;
import io.baton.tck.sim.lock.Scale;
import io.baton.testkit.LongRun;
import io.baton.testkit.sim.SeededRun;
import io.baton.testkit.sim.Seeds;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What a simulation of one kind shows of a store: seeds break no rule, each takes the same course every time, and bugs
 * that are planted in copies of our own sources are found by it: a third of them every day, all in the long run. A store has a subclass for each {@link SimulationKind}.
 *
 * <p>{@link Seeds} says how to run more seeds, or a single one, which then does again exactly what it did;
 * {@code ./simulate} does it for you. {@code -Dbaton.planted.seeds=5000} looks for each bug in more seeds.
 */
public abstract class SimulationSuite {

    private final Simulations simulations;
    private final SimulationKind kind;
    private final String title;
    private final int seeds;
    private final int seedsPerBug;

    /**
     * A simulation of this kind on the store.
     *
     * @param title what it is called where its seeds are told
     * @param seeds how many are run
     * @param seedsPerBug how many are run at most until a planted bug is found
     */
    protected SimulationSuite(Simulations simulations, SimulationKind kind, String title, int seeds, int seedsPerBug) {
        this.simulations = simulations;
        this.kind = kind;
        this.title = title;
        this.seeds = seeds;
        this.seedsPerBug = Integer.getInteger("baton.planted.seeds", seedsPerBug);
    }

    /** What has to have happened in these seeds on this store, besides what has to on all. */
    protected abstract List<String> events();

    /** Adds the bugs that have to be found. */
    protected abstract void plant(PlantedBugs bugs);

    /** Looks at how often everything has happened in so many seeds. */
    protected void check(Map<String, Long> totals, long runs) {}

    @Test
    void simulation_manySeedsOfFaults_breaksNoRule() {
        List<String> toHappen =
                Stream.concat(kind.events().stream(), events().stream()).toList();
        Map<String, Long> totals = new Seeds().runAsked(title, seeds, this::run, toHappen);
        check(totals, Seeds.asked(seeds).count());
    }

    @Test
    void simulation_seedsThatEverFailed_doNoMore() {
        runFailed("once failed", this::run);
        if (kind == SimulationKind.LOCKS) {
            // Earlier ones failed when there was nothing more in a run than three clients on one lock.
            runFailed("once failed on one lock", seed -> simulations.locks(seed, Scale.none()));
        }
    }

    @Test
    void simulation_sameSeedTwice_sameTrace() {
        Seeds.checkRepeatable(this::run, 1, 17);
    }

    @Test
    protected void simulation_bugPlantedInACopy_isFound() {
        PlantedBugs bugs = bugs();
        plant(bugs);
        if (!LongRun.asked() && !PlantedBugs.allAsked()) {
            bugs.sample(3);
        }
        List<Verdict> verdicts = bugs.search(seedsPerBug);
        System.out.println("planted bugs, and the seeds that it took to find them:\n" + PlantedBugs.table(verdicts));
        assertThat(verdicts)
                .isNotEmpty()
                .allSatisfy(each -> assertThat(each.found()).as("%s", each).isTrue());
    }

    @Test
    void simulation_noBugPlantedInTheCopy_findsNone() {
        int some = LongRun.rounds(5, 20);
        assertThat(bugs().searchInVain(some)).isEqualTo(Verdict.unnoticed("none", some));
    }

    private SeededRun run(long seed) {
        return simulations.run(kind, seed);
    }

    private void runFailed(String what, LongFunction<SeededRun> each) {
        new Seeds().run(title + ", " + what, Seeds.of(simulations.getClass(), kind.failedSeeds()), each);
    }

    private PlantedBugs bugs() {
        return new PlantedBugs(simulations.getClass(), kind.name(), simulations.module());
    }
}
