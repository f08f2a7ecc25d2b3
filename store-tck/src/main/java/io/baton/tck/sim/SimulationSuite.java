package io.baton.tck.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.tck.mutation.PlantedBugs;
import io.baton.tck.mutation.Verdict;
import io.baton.tck.sim.lock.Scale;
import io.baton.testkit.LongRun;
import io.baton.testkit.sim.SeededRun;
import io.baton.testkit.sim.Seeds;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Tests of a store by one kind of simulation. Seeds violate no invariant, and each takes the same course every time.
 * The simulation finds bugs that are planted in copies of Baton's sources: a twentieth of them every day, all in the long
 * run. A store has a subclass for each {@link SimulationKind}.
 *
 * <p>{@link Seeds} describes how to run more seeds, or a single one, which then repeats exactly; {@code ./simulate}
 * does so. {@code -Dbaton.planted.seeds=5000} searches for each bug in more seeds.
 */
public abstract class SimulationSuite {

    /** How many of the seeds that once failed run every day. */
    private static final int NEWEST = 3;

    private final Simulations simulations;
    private final SimulationKind kind;
    private final String title;
    private final int seeds;
    private final int seedsPerBug;

    /**
     * Creates a suite of this kind on the store.
     *
     * @param title the name in the reports of seeds
     * @param seeds the number of seeds in the long run; a daily run takes a tenth, in which not all events have to
     *     happen
     * @param seedsPerBug the most seeds to run in search of a planted bug
     */
    protected SimulationSuite(Simulations simulations, SimulationKind kind, String title, int seeds, int seedsPerBug) {
        this.simulations = simulations;
        this.kind = kind;
        this.title = title;
        this.seeds = seeds;
        this.seedsPerBug = Integer.getInteger("baton.planted.seeds", seedsPerBug);
    }

    /** The events that must happen in these seeds on this store, besides those for all stores. */
    protected abstract List<String> events();

    /** Adds the bugs that have to be found. */
    protected abstract void plant(PlantedBugs bugs);

    /** Checks how often each event happened in this many runs. */
    protected void check(Map<String, Long> totals, long runs) {}

    @Test
    void simulation_manySeedsOfFaults_breaksNoRule() {
        List<String> toHappen =
                Stream.concat(kind.events().stream(), events().stream()).toList();
        int usual = LongRun.rounds(seeds / 40, seeds);
        Map<String, Long> totals = new Seeds().runAsked(title, usual, seeds, this::run, toHappen);
        check(totals, Seeds.asked(usual).count());
    }

    @Test
    void simulation_seedsThatEverFailed_doNoMore() {
        runFailed("once failed", this::run);
        if (kind == SimulationKind.LOCKS && LongRun.asked()) {
            // Older seeds failed when a run was three clients on one lock, without more.
            runFailed("once failed on one lock", seed -> simulations.locks(kind, seed, Scale.none()));
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
            bugs.sample(20);
        }
        List<Verdict> verdicts = bugs.search(seedsPerBug);
        System.out.println("planted bugs, and the seeds that it took to find them:\n" + PlantedBugs.table(verdicts));
        assertThat(verdicts)
                .isNotEmpty()
                .allSatisfy(each -> assertThat(each.found()).as("%s", each).isTrue());
    }

    @Test
    void simulation_noBugPlantedInTheCopy_findsNone() {
        int some = LongRun.rounds(1, 20);
        assertThat(bugs().searchInVain(some)).isEqualTo(Verdict.unnoticed("none", some));
    }

    private SeededRun run(long seed) {
        return simulations.run(kind, seed);
    }

    private void runFailed(String what, LongFunction<SeededRun> each) {
        long[] all = Seeds.of(simulations.getClass(), kind.failedSeeds()).toArray();
        // With each change of the simulation a seed means another run, so the older ones are seeds like others.
        LongStream some = Arrays.stream(all).skip(Math.max(0, all.length - LongRun.rounds(NEWEST, all.length)));
        new Seeds().run(title + ", " + what, some, each);
    }

    private PlantedBugs bugs() {
        return new PlantedBugs(simulations.getClass(), kind.name(), simulations.module());
    }
}
