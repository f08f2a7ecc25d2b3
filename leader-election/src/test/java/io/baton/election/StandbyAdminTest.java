package io.baton.election;

import static io.baton.election.ActiveStandby.State.ACTIVE;
import static io.baton.election.ActiveStandby.State.PROMOTING;
import static io.baton.election.StandbyMember.Readiness.READY;
import static io.baton.election.StandbyMember.Readiness.STUCK;
import static io.baton.election.StandbyMember.Readiness.UNFIT;
import static io.baton.election.StandbyMember.Readiness.WAITING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.baton.Op;
import io.baton.OutcomeUnknownException;
import io.baton.RecordKey;
import io.baton.election.internal.line.ElectionLine;
import io.baton.election.internal.standby.BreadcrumbText;
import io.baton.election.internal.standby.StandbySetup;
import io.baton.memory.Outage;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** An operator who looks at nodes, and removes a breadcrumb, on virtual time. */
class StandbyAdminTest {

    private final StandbyRig rig = new StandbyRig("standby-admin");
    private final StandbyAdmin operator = rig.operator();

    @Test
    void look_nobody_isEmpty() {
        StandbyOverview now = look();

        assertThat(now.leader()).isEmpty();
        assertThat(now.members()).isEmpty();
        assertThat(now.breadcrumb()).isEmpty();
        assertThat(now.pause()).isEmpty();
    }

    @Test
    void look_nodesAndACandidate_tellsHowAllDo() {
        rig.active("a").prompt();
        rig.node("b", options -> options.priority(3));
        var candidacy = LeaderElection.named(rig.rig.client("x"), StandbyRig.ELECTION)
                .runAsync(Candidate.of("x"), rig.rig.work("x"));
        StandbyRig.Node c = rig.sick("c");
        rig.pass(Duration.ofSeconds(2));
        StandbyOverview now = look();

        assertThat(now.leader().map(Leader::id)).contains("a");
        assertThat(now.state().map(LeaderState::phase)).contains(LeaderState.Phase.ACTIVE);
        assertThat(now.members())
                .extracting(
                        StandbyMember::id,
                        StandbyMember::place,
                        StandbyMember::state,
                        StandbyMember::readiness,
                        StandbyMember::priority)
                .containsExactly(
                        tuple("a", 1, ACTIVE, READY, 0),
                        tuple("b", 2, ActiveStandby.State.STANDBY, READY, 3),
                        tuple("c", 0, ActiveStandby.State.STANDBY, UNFIT, 0));
        assertThat(now.members().get(2).trouble()).contains("the health check says no");
        assertThat(now.others()).containsExactly("x");
        LeftBreadcrumb left = now.breadcrumb().orElseThrow();
        assertThat(left.breadcrumb().id()).isEqualTo("a");
        assertThat(left.breadcrumb().since()).isPresent();
        assertThat(left.inContact()).isTrue();
        c.healthy = true;
        var closed = candidacy.closeAsync();
        rig.pass(Duration.ofSeconds(5));
        assertThat(closed).isCompleted();
        assertThat(look().members()).extracting(StandbyMember::readiness).containsOnly(READY);
    }

    @Test
    void look_nodeThatWaits_saysUntilWhenAndWhy() {
        rig.active("a").prompt();
        rig.rig.store.suspend("a");
        rig.unableToFence("b");
        rig.failForLong();
        rig.pass(Duration.ofSeconds(3));

        StandbyMember waits = look().members().get(0);
        assertThat(waits.readiness()).isEqualTo(WAITING);
        assertThat(waits.again().orElseThrow()).isAfter(waits.asOf());
        assertThat(waits.trouble().orElseThrow()).contains("3 of 3 times", "no power switch");
    }

    @Test
    void look_leaderThatWaitsBetweenTwoAttempts_saysSo() {
        rig.active("a").prompt();
        rig.rig.store.suspend("a");
        StandbyRig.Node b = rig.node("b", options -> options.fencingAttempts(50));
        rig.failToFence(b, 8);
        rig.pass(Duration.ofSeconds(3));
        assertThat(b.hands.idle()).isTrue();

        assertThat(look().members())
                .extracting(StandbyMember::state, StandbyMember::readiness)
                .containsExactly(tuple(PROMOTING, WAITING));
    }

    @Test
    void look_fencerThatDoesNotReturn_isStuck() {
        fencing();
        rig.pass(Duration.ofSeconds(6));

        assertThat(look().members()).extracting(StandbyMember::readiness).containsExactly(STUCK);
    }

    @Test
    void look_nodeClosedOrGone_isNotSeenAnyMore() {
        StandbyRig.Node a = rig.active("a").prompt();
        rig.node("b").prompt();
        a.standby.closeAsync();
        rig.pass(Duration.ofSeconds(2));
        assertThat(look().members()).extracting(StandbyMember::id).containsExactly("b");
        rig.rig.store.suspend("b");
        rig.pass(Rig.TTL.multipliedBy(2));
        assertThat(look().members()).isEmpty();
        rig.rig.store.resume();
        rig.pass(Duration.ofSeconds(3));
        assertThat(look().members()).extracting(StandbyMember::id).containsExactly("b");
    }

    /** Words may differ with each attempt: they are not written each time. */
    @Test
    void look_troubleInOtherWordsAllTheTime_isToldNowAndThen() {
        int[] checks = {0};
        rig.node(
                "a",
                options -> options.health(() -> {
                    throw new IllegalStateException("check " + ++checks[0]);
                }));
        int writes = 0;
        String before = "";
        for (int i = 0; i < 600; i++) {
            rig.pass(Duration.ofMillis(100));
            String now = look().members().stream()
                    .findFirst()
                    .flatMap(StandbyMember::trouble)
                    .orElse("");
            writes += now.equals(before) ? 0 : 1;
            before = now;
        }

        assertThat(checks[0]).isGreaterThan(50);
        assertThat(writes).isBetween(4, 8);
    }

    @Test
    void clear_authorGone_nextOneIsPromotedUnfenced() {
        StandbyRig.Node b = fencing();
        rig.failToFence(b, 1);
        assertThat(clear(look().breadcrumb().orElseThrow())).isCompleted();
        rig.pass(Duration.ofSeconds(1));

        assertThat(b.standby.state()).isEqualTo(PROMOTING);
        b.promoted();
        assertThat(b.standby.state()).isEqualTo(ACTIVE);
        assertThat(b.fenced).isEmpty();
        assertThat(rig.breadcrumb()).contains("b");
    }

    @Test
    void clear_authorIsActive_isRefused() {
        StandbyRig.Node a = rig.active("a");
        CompletableFuture<Void> cleared = clear(look().breadcrumb().orElseThrow());

        refused(cleared, "in contact with the store");
        assertThat(rig.breadcrumb()).contains("a");
        assertThat(a.standby.state()).isEqualTo(ACTIVE);
    }

    /** Its entry stands, whatever it has told of itself. */
    @Test
    void clear_authorStandsAndHasToldNothing_isRefused() {
        Candidate author =
                Candidate.builder("a").metadata(StandbySetup.RUN, "run-1").build();
        var client = rig.rig.client("a");
        var unused = LeaderElection.named(client, StandbyRig.ELECTION).runAsync(author, rig.rig.work("a"));
        var crumb = new Breadcrumb("a", "", 1, "run-1", Optional.empty());
        var key = new RecordKey(ActiveStandby.BREADCRUMBS, StandbyRig.ELECTION);
        var written = ElectionLine.named(client, StandbyRig.ELECTION)
                .write(List.of(), List.of(Op.put(key, BreadcrumbText.encode(crumb))));
        rig.pass(Duration.ofSeconds(1));
        assertThat(written).isCompleted();
        assertThat(look().members()).isEmpty();

        refused(clear(look().breadcrumb().orElseThrow()), "in contact with the store");
    }

    /** It does not stand in the line, and yet its process goes on. */
    @Test
    void clear_authorIsInContactOutOfTheLine_isRefused() {
        StandbyRig.Node a = rig.checked("a").prompt();
        rig.pass(Duration.ofSeconds(2));
        a.hands.slow("demote");
        a.healthy = false;
        rig.pass(Duration.ofSeconds(4));
        a.hands.at("demote").fails("it still writes");
        rig.pass(Duration.ofSeconds(2));
        assertThat(rig.standing()).isZero();
        assertThat(rig.breadcrumb()).contains("a");

        refused(clear(look().breadcrumb().orElseThrow()), "in contact with the store");
    }

    @Test
    void clear_cutOffUntilItsSessionEnds_isRefusedAndThenDone() {
        rig.active("a").prompt();
        rig.rig.store.suspend("a");
        rig.pass(Duration.ofSeconds(1));
        refused(clear(look().breadcrumb().orElseThrow()), "its session has not ended");
        rig.pass(Rig.TTL.multipliedBy(2));

        assertThat(clear(look().breadcrumb().orElseThrow())).isCompleted();
        assertThat(rig.breadcrumb()).isEmpty();
    }

    @Test
    void clear_anotherBreadcrumbByNow_isRefusedAndThatStays() {
        StandbyRig.Node b = fencing();
        LeftBreadcrumb seen = look().breadcrumb().orElseThrow();
        b.hands.at("fence").returns();
        b.promoted();
        rig.rig.store.suspend("b");
        rig.pass(Rig.TTL.multipliedBy(2));

        refused(clear(seen), "another one is: of 'b', at b:80, active in term");
        assertThat(rig.breadcrumb()).contains("b");
    }

    /** Between the look that clear takes itself and its write there is time, too. */
    @Test
    void clear_anotherBreadcrumbAtAnyMoment_neverRemovesThat() {
        int refusedLate = 0;
        for (int tasks = 0; tasks <= 40; tasks++) {
            StandbyRig raced = new StandbyRig("standby-raced");
            StandbyAdmin admin = raced.operator();
            StandbyRig.Node b = fencing(raced);
            LeftBreadcrumb seen = look(raced, admin).breadcrumb().orElseThrow();
            CompletableFuture<Void> cleared = admin.clearAsync(seen);
            raced.rig.loop.run(tasks);
            b.hands.at("fence").returns();
            raced.pass(Duration.ofSeconds(1));

            assertThat(raced.breadcrumb()).as("after %d tasks", tasks).contains("b");
            assertThat(cleared).isDone();
            refusedLate += cleared.isCompletedExceptionally() ? 1 : 0;
        }
        assertThat(refusedLate).isBetween(1, 40);
    }

    @Test
    void clear_twice_isRefusedTheSecondTime() {
        fencing();
        LeftBreadcrumb seen = look().breadcrumb().orElseThrow();
        assertThat(clear(seen)).isCompleted();

        refused(clear(seen), "not there any more");
    }

    @Test
    void clear_answerLost_saysThatItIsNotKnown() {
        fencing();
        LeftBreadcrumb seen = look().breadcrumb().orElseThrow();
        Outage outage = rig.rig.store.outage("operator", Outage.When.AFTER_REQUEST, 6);
        CompletableFuture<Void> cleared = operator.clearAsync(seen);
        rig.pass(Duration.ofSeconds(30));

        assertThat(outage.triggeredAt()).contains("transact");
        assertThat(cleared)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withCauseInstanceOf(OutcomeUnknownException.class);
        assertThat(rig.breadcrumb()).isEmpty();
    }

    /** Nobody says which run has written it. */
    @Test
    void clear_whatNoNodeHasWritten_isDone() {
        ElectionLine line = ElectionLine.named(rig.rig.client("script"), StandbyRig.ELECTION);
        var key = new RecordKey(ActiveStandby.BREADCRUMBS, StandbyRig.ELECTION);
        var written = line.write(List.of(), List.of(Op.put(key, "a\u0000".getBytes(StandardCharsets.UTF_8))));
        rig.rig.loop.run();
        assertThat(written).isCompleted();
        LeftBreadcrumb left = look().breadcrumb().orElseThrow();

        assertThat(left.breadcrumb().id()).isEqualTo("a?");
        assertThat(left.breadcrumb().since()).isEmpty();
        assertThat(clear(left)).isCompleted();
        assertThat(rig.breadcrumb()).isEmpty();
    }

    /** The breadcrumb was what told a node that its own demotion had failed. */
    @Test
    void clear_nodeWhoseDemotionHadFailedComesBack_isDemotedBeforeItIsPromoted() {
        StandbyRig.Node a = rig.active("a");
        rig.rig.store.suspend("a");
        rig.pass(Duration.ofMillis(200));
        a.hands.at("demote").fails("it still writes");
        rig.pass(Rig.TTL.multipliedBy(2));
        assertThat(clear(look().breadcrumb().orElseThrow())).isCompleted();
        rig.rig.store.resume();
        rig.pass(Duration.ofMillis(500));

        assertThat(rig.told).containsExactly("a promote", "a demote", "a demote");
        a.hands.at("demote").returns();
        a.promoted();
        assertThat(a.standby.state()).isEqualTo(ACTIVE);
    }

    @Test
    void priority_nodeThatCannotBeActive_asksMoreAndMoreSeldom() {
        rig.active("a").prompt();
        StandbyHook broken = leadership -> {
            throw new IllegalStateException("port in use");
        };
        rig.node(
                        "b",
                        options -> options.priority(1)
                                .priorityDelay(Duration.ofMinutes(1))
                                .onPromote(broken, Duration.ofSeconds(5)))
                .prompt();
        rig.pass(Duration.ofMinutes(5));
        long early = promotions();
        rig.pass(Duration.ofHours(1));

        assertThat(early).isBetween(1L, 3L);
        assertThat(promotions() - early).isBetween(1L, 4L);
    }

    private long promotions() {
        return rig.told.stream().filter("b promote"::equals).count();
    }

    @Test
    void operator_closedCoordinator_isTold() {
        var client = rig.rig.client("gone");
        StandbyAdmin gone = StandbyAdmin.named(client, StandbyRig.ELECTION);
        client.closeAsync();
        rig.pass(Duration.ofSeconds(1));

        var answer = gone.overviewAsync();
        rig.pass(Duration.ofSeconds(1));

        assertThat(answer).failsWithin(Duration.ZERO).withThrowableThat().withMessageContaining("closed");
    }

    private StandbyRig.Node fencing() {
        return fencing(rig);
    }

    /** A node that leads, and fences the one before it, which is cut off for good. */
    private static StandbyRig.Node fencing(StandbyRig rig) {
        rig.active("a").prompt();
        StandbyRig.Node b = rig.node("b");
        rig.rig.store.suspend("a");
        while (b.hands.idle()) {
            rig.pass(Duration.ofMillis(10));
        }
        return b;
    }

    private StandbyOverview look() {
        return look(rig, operator);
    }

    private static StandbyOverview look(StandbyRig rig, StandbyAdmin operator) {
        var answer = operator.overviewAsync();
        rig.rig.loop.run();
        return answer.join();
    }

    private CompletableFuture<Void> clear(LeftBreadcrumb left) {
        var answer = operator.clearAsync(left);
        rig.rig.loop.run();
        return answer;
    }

    private static void refused(CompletableFuture<Void> cleared, String why) {
        assertThat(cleared)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withCauseInstanceOf(BreadcrumbException.class)
                .withMessageContaining(why);
    }
}
