package io.baton.tck.sim.recipes;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.tck.mutation.PlantedBugs;
import io.baton.tck.mutation.Verdict;
import io.baton.tck.sim.recipes.RecipeSimulations.Kind;
import io.baton.testkit.LongRun;
import io.baton.testkit.sim.Seeds;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Recipes that work on records alone, whatever the store: they keep their rules, and bugs planted in them are found. */
class RecipeSimulationTest {

    private static final int DAILY = 200;
    private static final int LONG = 5_000;
    private static final int SEEDS_PER_BUG = 2_000;

    @Test
    void counter_manySeedsOfFaults_breaksNoRule() {
        new Seeds()
                .runAsked(
                        "counters",
                        LongRun.rounds(DAILY, LONG),
                        DAILY,
                        seed -> RecipeSimulations.run(Kind.COUNTER, seed),
                        List.of(
                                "changes answered",
                                "changes: OutcomeUnknownException",
                                "changes: StoreUnavailableException",
                                "clients killed",
                                "freezes",
                                "operations repeated",
                                "reads that failed",
                                "writes that were not sent",
                                "writes without an answer"));
    }

    @Test
    void counter_sameSeedTwice_sameTrace() {
        Seeds.checkRepeatable(seed -> RecipeSimulations.run(Kind.COUNTER, seed), 1, 17);
    }

    @Test
    void counter_bugPlantedInACopy_isFound() {
        assertFound(bugs(Kind.COUNTER)
                .inRecipes(
                        "internal.CounterWriter",
                        "a batch of unknown outcome is decided anew",
                        "batch != null && inDoubt && isApplied(batch, state)",
                        "batch == null && inDoubt")
                .inRecipes(
                        "internal.CounterWriter",
                        "any batch of the writer is taken for the one in doubt",
                        "latest != null && latest == batch.number",
                        "latest != null")
                .inRecipes(
                        "internal.CounterWriter",
                        "a repeated batch gets another number",
                        "batch == null || !batch.base.equals(revision)",
                        "batch == null || inDoubt || !batch.base.equals(revision)")
                .inRecipes(
                        "internal.CounterWriter",
                        "operations are not remembered",
                        "newlyCounted.add(each.once);",
                        "newlyCounted.clear();")
                .inRecipes(
                        "internal.RecordChange",
                        "a record is written whether or not it has changed",
                        "List.of(guard)",
                        "List.of()")
                .inRecipes(
                        "internal.RecordChange",
                        "a write that found the record changed counts as applied",
                        "} else if (applied) {",
                        "} else if (applied || inDoubt) {")
                .inRecipes(
                        "internal.RecordChange",
                        "a write that was under way when the session ended counts as not applied",
                        "!(cause instanceof StoreUnavailableException",
                        "!(cause instanceof io.baton.SessionLostException || cause instanceof StoreUnavailableException")
                .inRecipes(
                        "internal.RecordChange",
                        "a change that is given up counts as not applied",
                        "inDoubt && !(why instanceof OutcomeUnknownException)",
                        "why instanceof IllegalArgumentException"));
    }

    private static PlantedBugs bugs(Kind kind) {
        return new PlantedBugs(RecipeSimulations.class, kind.name(), "store-tck");
    }

    private static void assertFound(PlantedBugs bugs) {
        List<Verdict> verdicts = bugs.search(SEEDS_PER_BUG);
        System.out.println("planted bugs, and the seeds that it took to find them:\n" + PlantedBugs.table(verdicts));
        assertThat(verdicts)
                .isNotEmpty()
                .allSatisfy(each -> assertThat(each.found()).as("%s", each).isTrue());
    }
}
