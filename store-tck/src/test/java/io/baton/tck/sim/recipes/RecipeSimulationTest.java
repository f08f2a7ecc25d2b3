package io.baton.tck.sim.recipes;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.tck.mutation.PlantedBugs;
import io.baton.tck.mutation.Verdict;
import io.baton.tck.sim.recipes.RecipeSimulations.Kind;
import io.baton.testkit.LongRun;
import io.baton.testkit.sim.Seeds;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Recipes that work on records alone, whatever the store: they keep their rules, and bugs planted in them are found. */
class RecipeSimulationTest {

    private static final int DAILY = 200;
    private static final int LONG = 5_000;
    private static final int SEEDS_PER_BUG = 2_000;
    private static final List<String> EVENTS = List.of(
            "clients killed", "freezes", "reads that failed", "writes that were not sent", "writes without an answer");

    @Test
    void counter_manySeedsOfFaults_breaksNoRule() {
        run(
                "counters",
                Kind.COUNTER,
                List.of(
                        "changes answered",
                        "changes: OutcomeUnknownException",
                        "changes: StoreUnavailableException",
                        "operations repeated"));
    }

    @Test
    void sequence_manySeedsOfFaults_breaksNoRule() {
        run("sequences", Kind.SEQUENCE, List.of("numbers", "numbers refused"));
    }

    private static void run(String what, Kind kind, List<String> itsEvents) {
        List<String> toHappen =
                Stream.concat(EVENTS.stream(), itsEvents.stream()).toList();
        new Seeds()
                .runAsked(
                        what, LongRun.rounds(DAILY, LONG), DAILY, seed -> RecipeSimulations.run(kind, seed), toHappen);
    }

    @ParameterizedTest
    @EnumSource
    void recipe_sameSeedTwice_sameTrace(Kind kind) {
        Seeds.checkRepeatable(seed -> RecipeSimulations.run(kind, seed), 1, 17);
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
                        "guards.add(guard);",
                        "")
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

    @Test
    void sequence_bugPlantedInACopy_isFound() {
        assertFound(bugs(Kind.SEQUENCE)
                .inRecipes(
                        "internal.NumberBlocks",
                        "the next block begins with the last number of this one",
                        "Long.toString(end)",
                        "Long.toString(end - 1)")
                .inRecipes(
                        "internal.NumberBlocks",
                        "two blocks are taken at once",
                        "!waiting.isEmpty() && !taking",
                        "!waiting.isEmpty()")
                .inRecipes(
                        "internal.NumberBlocks",
                        "callers are forgotten when no block could be taken",
                        "failed.forEach(each -> each.completeExceptionally(told));",
                        "failed.clear();")
                .inRecipes(
                        "internal.NumberBlocks",
                        "a number that is handed out stays in its block",
                        "block = taken; serve();",
                        "block = taken; waiting.remove().complete(block.first);")
                .inRecipes(
                        "internal.RecordChange",
                        "a record is written whether or not it has changed",
                        "guards.add(guard);",
                        ""));
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
