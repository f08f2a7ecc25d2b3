package io.baton.tck.sim.recipes;

import io.baton.tck.sim.recipes.RecipeSimulations.Kind;
import io.baton.testkit.LongRun;
import io.baton.testkit.sim.Seeds;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Recipes on lines, in whole coordinators: they keep their rules, and bugs planted in them are found. */
class LineRecipeSimulationTest {

    private static final int DAILY = 15;
    private static final int LONG = 1_000;

    /** In so many seeds all of this happens. */
    private static final int ENOUGH = 300;

    private static final List<String> EVENTS = List.of(
            "clients closed",
            "clients killed",
            "contacts that are half open",
            "entries removed by hand",
            "events lost",
            "fail-overs",
            "freezes",
            "removals that had to wait",
            "server frozen",
            "sessions ended by hand",
            "sessions expired",
            "steps of a former epoch",
            "suspends");

    @Test
    void seats_manySeedsOfFaults_breaksNoRule() {
        run(
                "seats",
                Kind.SEATS,
                List.of(
                        "grants",
                        "seats lost",
                        "seats not taken: CancellationException",
                        "seats not taken: LockLostException",
                        "tries interrupted",
                        "tries that found a seat",
                        "tries that found none",
                        "tries whose time is over"));
    }

    @Test
    void seats_bugPlantedInACopy_isFound() {
        RecipeSimulationTest.assertFound(RecipeSimulationTest.bugs(Kind.SEATS)
                .inCore(
                        "internal.DefaultLineAcquisition",
                        "a line that was left is granted",
                        "decided.isEmpty() || withdrawn",
                        "decided.isEmpty()")
                .inRecipes(
                        "internal.HeldSeat",
                        "the permit is given back before the lock",
                        "unlessLost(hold, acquisition::withdraw), (gone, failure) -> Futures.onDone(unlessLost(permit,"
                                + " permit::releaseAsync), (over, late) -> {",
                        "unlessLost(permit, permit::releaseAsync), (gone, failure) -> Futures.onDone(unlessLost(hold,"
                                + " acquisition::withdraw), (over, late) -> {")
                .inRecipes(
                        "internal.HeldSeat",
                        "a seat whose permit is lost keeps its lock",
                        "for (Hold each : List.of(hold, permit)) {",
                        "for (Hold each : List.of(hold)) {")
                .inRecipes(
                        "internal.HeldSeat",
                        "the loss of the permit is not told",
                        "Subscription ofPermit = permit.onLost(onceUnlessClosed);",
                        "Subscription ofPermit = () -> {};")
                .inRecipes(
                        "internal.HeldSeat",
                        "a seat is believed though its permit is lost",
                        "List.of(hold.state(), permit.state())",
                        "List.of(hold.state())")
                .inRecipes(
                        "internal.SeatSearch",
                        "a search goes on though its time is over",
                        "if (context.inContact()) { end(Optional.empty());",
                        "if (context.inContact()) {")
                .inRecipes(
                        "internal.SeatSearch",
                        "a search whose time is over keeps what it has",
                        "if (context.inContact()) { end(Optional.empty());",
                        "if (context.inContact()) { outcome.complete(Optional.empty());")
                .inRecipes(
                        "internal.SeatSearch",
                        "a seat that was found when the caller was interrupted is kept",
                        "found.ifPresent(Seat::releaseAsync);",
                        "")
                .inRecipes(
                        "internal.SeatSearch",
                        "the line of a taken seat is not left",
                        "acquisition.ifPresent(LineAcquisition::withdraw);",
                        "")
                .inRecipes(
                        "internal.SeatSearch",
                        "a search that is given up keeps its permit",
                        "Futures.onDone(pending.withdraw(), (gone, failure) -> { var unused = permit.releaseAsync(); });",
                        "var unused = pending.withdraw();"));
    }

    @Test
    void barrier_manySeedsOfFaults_breaksNoRule() {
        run(
                "barriers",
                Kind.BARRIER,
                List.of(
                        "rounds broken",
                        "rounds passed",
                        "waits: OutcomeUnknownException",
                        "waits: SessionLostException",
                        "waits: StoreUnavailableException"));
    }

    @Test
    void barrier_bugPlantedInACopy_isFound() {
        RecipeSimulationTest.assertFound(RecipeSimulationTest.bugs(Kind.BARRIER)
                .inRecipes(
                        "internal.BarrierWait",
                        "a verdict rests on some of the entries",
                        "view.write(verdict, List.of(), StandingParty.entries(round), ",
                        "view.write(verdict, List.of(), StandingParty.entries(round.subList(round.size() - 1, round.size())), ")
                .inRecipes(
                        "internal.PartyView",
                        "a verdict does not rest on the record",
                        "List<Guard> unchanged = List.of(Guard.unchanged(rests.orElseThrow()));",
                        "List<Guard> unchanged = List.of();")
                .inRecipes(
                        "internal.BarrierWait",
                        "all that stand are in the round",
                        "List<StandingParty> round = standing.subList(0, parties);",
                        "List<StandingParty> round = standing;")
                .inRecipes(
                        "internal.BarrierWait",
                        "no look at the record once the entry has gone",
                        "leaveLine(); lookOnceMore();",
                        "fail(new SessionLostException(why));")
                .inRecipes(
                        "internal.BarrierWait",
                        "a party whose time is over, and that nobody answers, is said not to have stood there",
                        "fail(new OutcomeUnknownException(\"round of \"",
                        "fail(new StoreUnavailableException(\"round of \"")
                .inRecipes(
                        "internal.BarrierWait",
                        "a party that is out joins again",
                        "view.close(); leaveLine();",
                        "view.close();")
                .inRecipes(
                        "internal.BarrierRecord",
                        "the next round has the number of the one before",
                        "return new BarrierRecord(parties, round + 1,",
                        "return new BarrierRecord(parties, round,"));
    }

    @Test
    void doubleBarrier_manySeedsOfFaults_breaksNoRule() {
        run(
                "double barriers",
                Kind.DOUBLE_BARRIER,
                List.of(
                        "entering: CancellationException",
                        "entering: SessionLostException",
                        "leaving: CancellationException",
                        "leaving: SessionLostException",
                        "rounds broken inside",
                        "rounds closed",
                        "rounds entered",
                        "rounds left together",
                        "rounds not entered"));
    }

    @Test
    void doubleBarrier_bugPlantedInACopy_isFound() {
        RecipeSimulationTest.assertFound(RecipeSimulationTest.bugs(Kind.DOUBLE_BARRIER)
                .inRecipes(
                        "internal.PartyView",
                        "a verdict does not rest on the record",
                        "List<Guard> unchanged = List.of(Guard.unchanged(rests.orElseThrow()));",
                        "List<Guard> unchanged = List.of();")
                .inRecipes(
                        "internal.DoubleBarrierParty",
                        "a round is entered whether or not all stand",
                        "write(record.entered(ids.subList(0, parties)), round, List.of());",
                        "write(record.entered(ids.subList(0, parties)), List.of(), List.of());")
                .inRecipes(
                        "internal.DoubleBarrierParty",
                        "a round is entered beside another",
                        "if (record.inside().isEmpty() && mine < parties && standing.size() >= parties) {",
                        "if (mine < parties && standing.size() >= parties) {")
                .inRecipes(
                        "internal.DoubleBarrierParty",
                        "all that stand enter",
                        "write(record.entered(ids.subList(0, parties)), round, List.of());",
                        "write(record.entered(ids), round, List.of());")
                .inRecipes(
                        "internal.DoubleBarrierParty",
                        "entries stay when a round is left",
                        "write(record.left(round), List.of(), StandingParty.entries(standing));",
                        "write(record.left(round), List.of(), List.of());")
                .inRecipes(
                        "internal.DoubleBarrierParty",
                        "no look at the record once the entry has gone",
                        "leaveLine(); RecordChange.beginFor(",
                        "fail(new SessionLostException(why)); RecordChange.beginFor(")
                .inRecipes(
                        "internal.DoubleBarrierParty",
                        "nobody looks whether those inside are still there",
                        "if (inside.isPresent() && missing(inside.get(), standing).isPresent()) {",
                        "if (round.isPresent() && inside.isPresent() && missing(inside.get(), standing).isPresent()) {")
                .inRecipes(
                        "internal.DoubleBarrierRecord",
                        "the next round has the number of the one before",
                        "return new DoubleBarrierRecord(parties, next + 1, kept);",
                        "return new DoubleBarrierRecord(parties, next, kept);"));
    }

    @Test
    void group_manySeedsOfFaults_breaksNoRule() {
        run("groups", Kind.GROUP, List.of("leaves", "losses", "updates"));
    }

    @Test
    void group_bugPlantedInACopy_isFound() {
        RecipeSimulationTest.assertFound(RecipeSimulationTest.bugs(Kind.GROUP)
                .inRecipes(
                        "internal.GroupMembers",
                        "the first view is the last",
                        "if (!view.equals(told.getAndSet(view))) {",
                        "if (told.getAndSet(view) == null) {")
                .inRecipes(
                        "internal.JoinedMember", "a loss is not told", "losses.forEach(queue -> queue.offer(why));", "")
                .inRecipes(
                        "internal.JoinedMember",
                        "a change of the state is not told",
                        "states.forEach(queue -> queue.offer(state));",
                        "")
                .inCore(
                        "internal.DefaultMembership",
                        "an entry that was removed is not made again",
                        "joinLater(); to.gone(why);",
                        "to.gone(why);")
                .inCore(
                        "internal.DefaultMembership",
                        "a member that has lost its session does not join in the next",
                        "if (begun) { joinLater(); } else { join(); }",
                        "if (!begun) { join(); }")
                .inCore(
                        "internal.DefaultMembership",
                        "the former entry stays after an update",
                        "if (former != null) { former.leave(); }",
                        "")
                .inCore(
                        "internal.DefaultMembership",
                        "what is said while the member joins is forgotten",
                        "update(\"\"); if (!Arrays.equals(joined.says, newest)) { joinLater(); }",
                        "update(\"\");"));
    }

    private static void run(String what, Kind kind, List<String> itsEvents) {
        List<String> toHappen =
                Stream.concat(EVENTS.stream(), itsEvents.stream()).toList();
        new Seeds()
                .runAsked(
                        what, LongRun.rounds(DAILY, LONG), ENOUGH, seed -> RecipeSimulations.run(kind, seed), toHappen);
    }
}
