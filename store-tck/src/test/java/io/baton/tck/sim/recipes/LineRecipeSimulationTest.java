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
    private static final int FEW = 5;
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

    @Test
    void assignment_manySeedsOfFaults_breaksNoRule() {
        run(
                "assignments",
                Kind.ASSIGNMENT,
                FEW,
                List.of("ends", "freezes beside a heartbeat", "leaves", "lists", "losses", "updates"));
    }

    @Test
    void assignment_bugPlantedInACopy_isFound() {
        RecipeSimulationTest.assertFound(RecipeSimulationTest.bugs(Kind.ASSIGNMENT)
                .inRecipes(
                        "internal.OwnPartitions",
                        "partitions are given after a deadline that nobody has noticed",
                        "!members.isEmpty() && isIn(member.state())",
                        "!members.isEmpty()")
                .inRecipes(
                        "internal.OwnPartitions",
                        "a loss is merged with what comes after it",
                        "} else if (!pending.isEmpty() && !pending.getLast().isEmpty()) {",
                        "} else if (!pending.isEmpty()) {")
                .inRecipes(
                        "internal.OwnPartitions",
                        "partitions end with the contact",
                        "in = isIn(state);",
                        "in = state == MembershipState.JOINED;")
                .inRecipes(
                        "internal.OwnPartitions",
                        "a change of the members is not told",
                        "seen = view; changed();",
                        "seen = view;")
                .inRecipes(
                        "internal.OwnPartitions",
                        "partitions are told once",
                        "told = now;",
                        "told = told.isEmpty() ? now : told;")
                .inRecipes(
                        "internal.JoinedMember",
                        "a change of the state is not told to who follows the partitions",
                        "assignments.forEach(own -> own.changed(state));",
                        "")
                .inRecipes(
                        "internal.JoinedMember",
                        "the present state is not told to who begins to follow the partitions",
                        "own.changed(state());",
                        "")
                .inRecipes(
                        "Assignment",
                        "the first partition has no owner",
                        "for (int partition = 0; partition < partitions; partition++) {",
                        "for (int partition = 1; partition < partitions; partition++) {")
                .inRecipes(
                        "Assignment",
                        "the last of the members that beat the first is the owner",
                        "highest = score;",
                        "")
                .inRecipes(
                        "Assignment",
                        "members own partitions in turn",
                        "String owner = owner(byMember, partition);",
                        "String owner = List.copyOf(byMember.keySet()).get(partition % byMember.size());"));
    }

    @Test
    void stripedLocks_manySeedsOfFaults_breaksNoRule() {
        run(
                "striped locks",
                Kind.STRIPED_LOCKS,
                FEW,
                List.of(
                        "sets",
                        "sets asked for without waiting",
                        "sets cancelled",
                        "sets lost",
                        "sets not taken in time",
                        "sets not taken: InterruptedException",
                        "sets not taken: LockLostException",
                        "threads interrupted",
                        "writes",
                        "writes refused"));
    }

    @Test
    void stripedLocks_bugPlantedInACopy_isFound() {
        RecipeSimulationTest.assertFound(RecipeSimulationTest.bugs(Kind.STRIPED_LOCKS)
                .inRecipes(
                        "StripedLocks",
                        "the lock of two keys is asked for twice",
                        "keys.stream().mapToInt(this::stripe).distinct()",
                        "keys.stream().mapToInt(this::stripe)")
                .inRecipes(
                        "StripedLocks",
                        "the last key is forgotten",
                        "keys.stream().mapToInt(this::stripe).distinct()",
                        "keys.stream().limit(Math.max(1, keys.size() - 1)).mapToInt(this::stripe).distinct()")
                .inCore(
                        "internal.client.DefaultCoordinator",
                        "locks are acquired in the order of their names as given",
                        ".sorted(Comparator.comparing(lock -> lock.line().path()))",
                        "")
                .inCore(
                        "internal.lock.DefaultMultiLock",
                        "the time limit begins anew with each lock",
                        "held.isEmpty() ? timeout : timeout.minusNanos(nanoTime.getAsLong() - begun)",
                        "timeout")
                .inCore(
                        "internal.lock.DefaultMultiLock",
                        "what is held stays when a wait fails",
                        "if (!complete) { DefaultMultiHold.releaseAll(holds, closeTimeout); }",
                        "")
                .inCore(
                        "internal.lock.DefaultMultiLock",
                        "what is held stays when the caller cancels",
                        "pending.cancel(false); } release(holds);",
                        "pending.cancel(false); }")
                .inCore(
                        "internal.lock.DefaultMultiLock",
                        "a set is given though one of its locks is lost",
                        "checkNoneIsLost(holds); return",
                        "return")
                .inCore(
                        "internal.lock.DefaultMultiLock",
                        "what is held stays when one of the locks was lost",
                        "release(holds); users.completeExceptionally(lost);",
                        "users.completeExceptionally(lost);")
                .inCore(
                        "internal.lock.DefaultMultiHold",
                        "each lock that is lost is told",
                        "if (told.compareAndSet(false, true)) {",
                        "if (told.compareAndSet(false, true) || told.get()) {")
                .inCore(
                        "internal.lock.DefaultMultiHold",
                        "the loss of the first lock only is told",
                        "for (Hold hold : holds.values()) {",
                        "for (Hold hold : holds.values().stream().limit(1).toList()) {")
                .inCore(
                        "internal.lock.DefaultMultiHold",
                        "a set is held as long as one of its locks is",
                        "List.of(HoldState.LOST, HoldState.RELEASED, HoldState.JEOPARDY, HoldState.HELD)",
                        "List.of(HoldState.HELD, HoldState.LOST, HoldState.RELEASED, HoldState.JEOPARDY)")
                .inCore(
                        "internal.lock.DefaultMultiHold",
                        "a set is certain for as long as one of its locks is",
                        ".min(Duration::compareTo)",
                        ".max(Duration::compareTo)")
                .inCore(
                        "internal.lock.DefaultMultiHold",
                        "the first lock alone guards",
                        "holds.values().stream().map(Guard::held).toList()",
                        "holds.values().stream().limit(1).map(Guard::held).toList()")
                .inCore(
                        "internal.lock.DefaultMultiHold",
                        "closing releases the last lock only",
                        "lastFirst.stream().map(Hold::releaseAsync)",
                        "lastFirst.stream().limit(1).map(Hold::releaseAsync)"));
    }

    @Test
    void rests_manySeedsOfFaults_breaksNoRule() {
        run(
                "rests",
                Kind.RESTS,
                FEW,
                List.of(
                        "early releases",
                        "evictions",
                        "grants after a loss",
                        "freezes beside a heartbeat",
                        "holds that have gone unreleased",
                        "locks asked for without waiting",
                        "locks given up at their grant",
                        "locks not taken: CancellationException",
                        "locks not taken: LockLostException",
                        "locks not taken: without waiting",
                        "rests on record"));
    }

    @Test
    void rests_bugPlantedInACopy_isFound() {
        RecipeSimulationTest.assertFound(RecipeSimulationTest.bugs(Kind.RESTS)
                .inCore(
                        "internal.lock.DelayedPlace",
                        "an early release removes the entry at once",
                        "if (rest.isNegative() || rest.isZero()) {",
                        "if (rest.compareTo(contender.options().holdAtLeast()) <= 0) {")
                .inCore(
                        "internal.lock.DelayedPlace",
                        "the least time begins with the release",
                        "contender.options().holdAtLeast().minus(since(heldSince))",
                        "contender.options().holdAtLeast()")
                .inCore(
                        "internal.lock.DelayedPlace",
                        "an early release is not on record while the entry stays",
                        "if (contender.options().delayAfterLoss().isZero()) {",
                        "if (!rest.isNegative()) {")
                .inCore(
                        "internal.lock.DelayedPlace",
                        "a hold is granted without a record",
                        "write(read.unchanged()); return;",
                        "grant(); return;")
                .inCore(
                        "internal.lock.DelayedPlace",
                        "a hold is written down whether or not its entry stands",
                        "List.of(new Condition.Stands(mine.peer()), lastIsKnown), List.of(record.put",
                        "List.of(lastIsKnown), List.of(record.put")
                .inCore(
                        "internal.lock.DelayedPlace",
                        "a lost hold counts as released once it leaves the line",
                        "|| lost || ending == Entrant.Ending.LOST",
                        "|| lost")
                .inCore(
                        "internal.lock.DelayedPlace",
                        "a hold that was never given out keeps others out",
                        "if (ending == Entrant.Ending.UNUSED) { contender",
                        "if (ending == Entrant.Ending.UNUSED) { if (own.token() > 0) { return leaveLine(); } contender")
                .inCore(
                        "internal.lock.DelayedPlace",
                        "who waits for the rest does not note since when",
                        "var unused = contender.noteGone(session, read, List.of(new Condition.Stands(mine.peer())));",
                        "")
                .inCore(
                        "internal.lock.DelayedPlace",
                        "the end of the rest is not looked for",
                        "timer = contender.loop().after(rest, this::look);",
                        "")
                .inCore(
                        "internal.lock.DelayingContender",
                        "each that waits notes since when",
                        "read.last().filter(last -> last.goneAt() == 0)",
                        "read.last()")
                .inCore(
                        "internal.lock.DelayRecord",
                        "the lock does not rest after a loss",
                        "return released ? 0 : delayAfterLoss - sinceGone;",
                        "return 0;")
                .inCore(
                        "internal.lock.DelayRecord",
                        "the shorter of two rests counts",
                        "Math.max(holdLeft(sinceGone, wallMillis), lossLeft(sinceGone))",
                        "Math.min(holdLeft(sinceGone, wallMillis), lossLeft(sinceGone))")
                .inCore(
                        "internal.lock.DelayRecord",
                        "the least time of a hold that has gone is not looked at",
                        "return holdAtLeast - Math.max(wallMillis - grantedAt, sinceGone);",
                        "return Math.min(0, holdAtLeast - Math.max(wallMillis - grantedAt, sinceGone));")
                .inCore(
                        "internal.lock.DelayRecord",
                        "what was served still keeps others out",
                        "new DelayRecord(holdAtLeast, delayAfterLoss, token, 0, true, 0)",
                        "new DelayRecord(holdAtLeast, delayAfterLoss, token, grantedAt, true, 0)")
                .inCore(
                        "internal.lock.DelayRecord",
                        "a loss is forgotten once its time is noted",
                        "token, grantedAt, released, wallMillis)",
                        "token, grantedAt, true, wallMillis)"));
    }

    @Test
    void revocation_manySeedsOfFaults_breaksNoRule() {
        run(
                "revocation",
                Kind.REVOCATION,
                FEW,
                List.of(
                        "evictions",
                        "evictions of what has gone",
                        "evictions: StoreUnavailableException",
                        "losses",
                        "refusals",
                        "requests told",
                        "requests: FREE",
                        "requests: REFUSED",
                        "requests: RELEASED",
                        "requests: StoreUnavailableException",
                        "requests: UNANSWERED"));
    }

    @Test
    void revocation_bugPlantedInACopy_isFound() {
        RecipeSimulationTest.assertFound(RecipeSimulationTest.bugs(Kind.REVOCATION)
                .inCore(
                        "internal.lock.ReleaseRequests",
                        "a request to another hold is told",
                        "if (note.token() == token && note.refused() == null) {",
                        "if (note.refused() == null) {")
                .inCore(
                        "internal.lock.ReleaseRequests",
                        "a request that was refused is told once more",
                        "if (note.token() == token && note.refused() == null) {",
                        "if (note.token() == token) {")
                .inCore(
                        "internal.lock.ReleaseRequests",
                        "a refusal of another request is taken for the own answer",
                        "note.id().equals(id) && note.refused() != null",
                        "note.refused() != null")
                .inCore(
                        "internal.lock.ReleaseRequests",
                        "a request is written though its hold has ended",
                        "List.of(new Condition.Stands(peer)), List.of(put), List.of()),",
                        "List.of(), List.of(put), List.of()),")
                .inCore(
                        "internal.lock.ReleaseRequests",
                        "a refusal is written over a later request",
                        "List.of(new Condition.Stands(hold.peer()), new Condition.Unchanged(item.key(), item.revision()))",
                        "List.of(new Condition.Stands(hold.peer()))")
                .inCore(
                        "internal.lock.ReleaseRequests",
                        "a hold that has ended refuses",
                        "List.of(new Condition.Stands(hold.peer()), new Condition.Unchanged(item.key(), item.revision()))",
                        "List.of(new Condition.Unchanged(item.key(), item.revision()))")
                .inCore(
                        "internal.lock.ReleaseRequests",
                        "the withdrawal removes a later request",
                        "record.isEmpty() || !Note.of(record.get()).id().equals(id)",
                        "record.isEmpty()")
                .inCore(
                        "internal.lock.ReleaseRequests",
                        "a request stays on record",
                        "answers.close(); withdraw(id, 1);",
                        "answers.close();")
                .inCore(
                        "internal.lock.ReleaseRequests",
                        "a request ends with the first look that fails",
                        "failure == null || passes(Futures.cause(failure))",
                        "failure == null")
                .inCore(
                        "internal.lock.ReleaseRequests",
                        "a request is answered before the hold has ended",
                        "failure == null && entry.isEmpty()",
                        "failure == null")
                .inCore(
                        "internal.lock.ReleaseRequests",
                        "a request of unknown outcome counts as not written",
                        "failure != null && !unknown(failure)) { outcome.completeExceptionally(Futures.cause(failure)); offRecord();",
                        "failure != null) { outcome.completeExceptionally(Futures.cause(failure)); offRecord();")
                .inCore(
                        "internal.lock.ReleaseRequests",
                        "the line is found free if its first has gone",
                        "if (entry.isEmpty()) { ask(line, number + 1, reason);",
                        "if (entry.isEmpty()) { complete(Outcome.FREE, \"\");")
                .inCore(
                        "internal.lock.Acquisition",
                        "the end of a hold does not end its listeners",
                        "endWithHold.forEach(Subscription::close);",
                        "")
                .inCore(
                        "internal.lock.Evictions",
                        "an eviction is on record, and removes nothing",
                        "List.of(entry.peer())",
                        "List.of()")
                .inCore(
                        "internal.lock.Evictions",
                        "an eviction is not on record",
                        "List.of(note(who, reason)),",
                        "List.of(),")
                .inCore(
                        "internal.lock.Evictions",
                        "an eviction removes the first in line",
                        ".filter(peer -> peer.name().equals(who.entry()))",
                        ".filter(peer -> peer.order() > 0)")
                .inCore(
                        "internal.lock.Evictions",
                        "the record takes the evicted one for the operator",
                        ".add(\"by\", parts.client())",
                        ".add(\"by\", who.client())")
                .inCore(
                        "internal.lock.AcquisitionMachine",
                        "an owner whose entry was removed goes on",
                        "case GONE, ENDED -> to(State.DONE, LOST);",
                        "case GONE -> to(State.HELD); case ENDED -> to(State.DONE, LOST);"));
    }

    private static void run(String what, Kind kind, List<String> itsEvents) {
        run(what, kind, DAILY, itsEvents);
    }

    private static void run(String what, Kind kind, int daily, List<String> itsEvents) {
        List<String> toHappen =
                Stream.concat(EVENTS.stream(), itsEvents.stream()).toList();
        new Seeds()
                .runAsked(
                        what, LongRun.rounds(daily, LONG), ENOUGH, seed -> RecipeSimulations.run(kind, seed), toHappen);
    }
}
