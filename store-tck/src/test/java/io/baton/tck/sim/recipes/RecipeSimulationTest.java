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

/** Recipes on records and one lock, whatever the store: they keep their rules, and bugs planted in them are found. */
class RecipeSimulationTest {

    private static final int DAILY = 60;
    private static final int LONG = 5_000;

    /** Among as many, each event happens. */
    private static final int ENOUGH = 200;

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

    @Test
    void latch_manySeedsOfFaults_breaksNoRule() {
        run(
                "latches",
                Kind.LATCH,
                List.of(
                        "calls answered",
                        "calls: OutcomeUnknownException",
                        "calls: StoreUnavailableException",
                        "waiters let go",
                        "last rounds released"));
    }

    @Test
    void asking_manySeedsOfFaults_breaksNoRule() {
        run(
                "askings",
                Kind.ASKING,
                List.of(
                        "grants",
                        "holds lost",
                        "questions answered",
                        "questions begun again",
                        "questions: NotAnsweredException",
                        "servers closed"));
    }

    private static void run(String what, Kind kind, List<String> itsEvents) {
        List<String> toHappen =
                Stream.concat(EVENTS.stream(), itsEvents.stream()).toList();
        new Seeds()
                .runAsked(
                        what, LongRun.rounds(DAILY, LONG), ENOUGH, seed -> RecipeSimulations.run(kind, seed), toHappen);
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

    @Test
    void latch_bugPlantedInACopy_isFound() {
        assertFound(bugs(Kind.LATCH)
                .inRecipes(
                        "internal.LatchChanges",
                        "an own count is not recognised",
                        "new Step.Keep<>(by.equals(operation))",
                        "new Step.Keep<>(false)")
                .inRecipes(
                        "internal.LatchChanges",
                        "a count of another operation is taken for the own one",
                        "new Step.Keep<>(by.equals(operation))",
                        "new Step.Keep<>(true)")
                .inRecipes(
                        "internal.LatchChanges",
                        "an own opening is not recognised",
                        "latch.opened().equals(operation)",
                        "false")
                .inRecipes(
                        "internal.LatchChanges",
                        "a change in doubt is made again in the next round",
                        "inDoubt != NO_ROUND && latch.round() != inDoubt",
                        "false")
                .inRecipes(
                        "internal.LatchChanges",
                        "a reset in doubt is made again",
                        "if (present == NO_ROUND) {",
                        "if (present != latch.round()) {")
                .inRecipes(
                        "internal.LatchRecord",
                        "the reset forgets that the round was released",
                        "new LatchRecord(round + 1, released(), 0",
                        "new LatchRecord(round + 1, before, 0")
                .inRecipes(
                        "internal.LatchWait",
                        "a waiter looks at the present round alone",
                        "if (LatchRecord.of(now).released() >= standsIn) {",
                        "if (LatchRecord.of(now).isReleased()) {")
                .inRecipes(
                        "internal.LatchWait",
                        "a waiter is let go by any round that was released",
                        "if (latch.released() >= standsIn) {",
                        "if (latch.released() > 0) {")
                .inRecipes(
                        "internal.RecordChange",
                        "a waiter gives up when the store is out of reach",
                        "} else if (isOutOfContact(context, Futures.cause(failure))) {",
                        "} else if (failure == null) {")
                .inRecipes(
                        "internal.RecordChange",
                        "a record is written whether or not it has changed",
                        "guards.add(guard);",
                        ""));
    }

    @Test
    void asking_bugPlantedInACopy_isFound() {
        assertFound(bugs(Kind.ASKING)
                .inRecipes(
                        "internal.AskingChanges",
                        "a question is begun whether or not the lock is still held",
                        "asking.with(begun).encode(), List.of(Guard.held(hold))",
                        "asking.with(begun).encode(), List.of()")
                .inRecipes(
                        "internal.AskingChanges",
                        "an answer is written whether or not the lock is still held",
                        "answered.without(forgotten).encode(), List.of(Guard.held(hold))",
                        "answered.without(forgotten).encode(), List.of()")
                .inRecipes(
                        "internal.AskingChanges",
                        "a beginning in doubt is made again",
                        "if (next.get().isBegunUnder(hold.token())) {",
                        "if (next.get().isBegunUnder(0)) {")
                .inRecipes(
                        "internal.AskingChanges",
                        "a question of the same id is asked anew",
                        "if (there.isPresent()) {",
                        "if (there.isPresent() && !there.get().isAnswered()) {")
                .inRecipes(
                        "internal.AskingChanges",
                        "a question that has begun is withdrawn",
                        "if (!there.get().isAsked()) {",
                        "if (there.get().isAnswered()) {")
                .inRecipes(
                        "internal.AskingChanges",
                        "the text of a withdrawn question stays",
                        "List.of(Op.delete(text(gone.number())))",
                        "List.of()")
                .inRecipes(
                        "internal.AskingRecord",
                        "questions that were begun under an earlier lock are passed over",
                        "return first(each -> !each.isAnswered());",
                        "return first(AskedQuestion::isAsked);")
                .inRecipes(
                        "internal.AskRequest",
                        "a question is asked after its time is over",
                        "if (over || outcome.isDone()) {\n            return; // this",
                        "if (outcome.isDone()) {\n            return; // this")
                .inRecipes(
                        "internal.AskRequest",
                        "a question in doubt is said not to have been asked",
                        "inDoubt |= !(why instanceof StoreUnavailableException);",
                        "inDoubt = !(why instanceof StoreUnavailableException);")
                .inRecipes(
                        "internal.AskRequest",
                        "a question that could not be withdrawn is said not to have begun",
                        "Futures.cause(failure).getMessage(), true);\n                return;",
                        "Futures.cause(failure).getMessage(), false);\n                return;")
                .inRecipes(
                        "internal.AskingServer",
                        "an answer that was not acknowledged is given up",
                        "if (failure == null || hold != under) {",
                        "if (failure != null || hold != under || answered || true) {")
                .inRecipes(
                        "internal.AskingServer",
                        "a server does not stand for the lock again after a loss",
                        "        } else if (hold == null) {\n            stand();",
                        "        } else if (hold == null) {\n            busy = true;"));
    }

    static PlantedBugs bugs(Kind kind) {
        return new PlantedBugs(RecipeSimulations.class, kind.name(), "store-tck");
    }

    /** A tenth of the bugs every day, all in the long run. */
    static void assertFound(PlantedBugs bugs) {
        if (!LongRun.asked() && !PlantedBugs.allAsked()) {
            bugs.sample(10);
        }
        List<Verdict> verdicts = bugs.search(SEEDS_PER_BUG);
        System.out.println("planted bugs, and the seeds that it took to find them:\n" + PlantedBugs.table(verdicts));
        assertThat(verdicts)
                .isNotEmpty()
                .allSatisfy(each -> assertThat(each.found()).as("%s", each).isTrue());
    }
}
