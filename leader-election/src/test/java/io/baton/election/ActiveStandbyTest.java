package io.baton.election;

import static io.baton.election.ActiveStandby.State.ACTIVE;
import static io.baton.election.ActiveStandby.State.CLOSED;
import static io.baton.election.ActiveStandby.State.DEMOTING;
import static io.baton.election.ActiveStandby.State.PROMOTING;
import static io.baton.election.ActiveStandby.State.STANDBY;
import static io.baton.election.LeaderState.Phase.FENCING;
import static io.baton.election.LeaderState.Phase.STARTING;
import static io.baton.election.LeaderState.Phase.STOPPING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.baton.CoordinationException;
import io.baton.StoreUnavailableException;
import io.baton.Subscription;
import io.baton.memory.Outage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Nodes on virtual time, event by event. */
class ActiveStandbyTest {

    private final StandbyRig rig = new StandbyRig("standby");

    @Test
    void start_alone_isPromotedWithoutFencing() {
        StandbyRig.Node a = rig.node("a");
        assertThat(a.standby.state()).isEqualTo(PROMOTING);
        assertThat(a.standby.leadership()).isEmpty();
        assertThat(rig.breadcrumb()).contains("a");

        a.promoted();

        assertThat(a.states).containsExactly(STANDBY, PROMOTING, ACTIVE);
        assertThat(a.standby.leadership()).isPresent();
        assertThat(a.standby.status().term())
                .isEqualTo(a.standby.leadership().orElseThrow().term());
        assertThat(rig.told).containsExactly("a promote");
    }

    @Test
    void close_active_demotesAndLeavesNoBreadcrumb() {
        StandbyRig.Node a = rig.node("a");
        a.promoted();
        StandbyRig.Node b = rig.node("b");

        CompletableFuture<Void> closed = a.standby.closeAsync();
        rig.pass(Duration.ofMillis(500));
        assertThat(a.standby.state()).isEqualTo(DEMOTING);
        assertThat(b.standby.state()).isEqualTo(STANDBY);
        assertThat(rig.breadcrumb()).contains("a");
        a.hands.at("demote").returns();

        assertThat(closed).isCompleted();
        assertThat(a.states).containsExactly(STANDBY, PROMOTING, ACTIVE, DEMOTING, STANDBY, CLOSED);
        assertThat(rig.told).containsExactly("a promote", "a demote", "b promote");
        b.promoted();
        b.prompt();
        b.standby.closeAsync();
        rig.pass(Duration.ofSeconds(1));
        assertThat(rig.breadcrumb()).isEmpty();
    }

    @Test
    void sessionExpired_nextOneIsPromotedOnlyAfterFencing() {
        StandbyRig.Node a = rig.active("a");
        StandbyRig.Node b = rig.node("b");
        rig.rig.store.expireSessions("a");
        rig.pass(Duration.ofMillis(500));

        assertThat(rig.told).containsExactly("a promote", "a demote", "b fence");
        assertThat(b.standby.state()).isEqualTo(PROMOTING);
        assertThat(rig.breadcrumb()).contains("a");
        b.hands.at("fence").returns();
        assertThat(rig.breadcrumb()).contains("b");
        b.promoted();
        a.hands.at("demote").returns();

        assertThat(a.states).endsWith(ACTIVE, DEMOTING, STANDBY);
        assertThat(b.fenced).extracting(Breadcrumb::id, Breadcrumb::address).containsExactly(tuple("a", "a:80"));
        assertThat(rig.breadcrumb()).contains("b");
        assertThat(rig.told).containsExactly("a promote", "a demote", "b fence", "b promote");
    }

    @Test
    void sessionExpired_nobodyElse_isPromotedAgainWithoutFencingItself() {
        StandbyRig.Node a = rig.active("a").prompt();
        rig.rig.store.expireSessions("a");
        rig.pass(Duration.ofSeconds(1));

        assertThat(a.states).containsExactly(STANDBY, PROMOTING, ACTIVE, DEMOTING, STANDBY, PROMOTING, ACTIVE);
        assertThat(rig.told).containsExactly("a promote", "a demote", "a promote");
    }

    @Test
    void cutOff_isDemotedBeforeTheNextIsPromoted() {
        StandbyRig.Node a = rig.active("a").prompt();
        StandbyRig.Node b = rig.node("b").prompt();
        rig.rig.store.suspend("a");
        rig.pass(Duration.ofMillis(100));
        assertThat(rig.told).containsExactly("a promote", "a demote");
        assertThat(a.standby.state()).isEqualTo(DEMOTING);

        rig.pass(Rig.TTL.multipliedBy(2));

        assertThat(a.standby.state()).isEqualTo(STANDBY);
        assertThat(a.trouble()).contains("breadcrumb stays");
        assertThat(b.standby.state()).isEqualTo(ACTIVE);
        assertThat(rig.told).containsExactly("a promote", "a demote", "b fence", "b promote");
    }

    @Test
    void cutOff_backInTime_leavesNoBreadcrumbAndNobodyIsFenced() {
        StandbyRig.Node a = rig.active("a").prompt();
        StandbyRig.Node b = rig.node("b").prompt();
        rig.rig.store.suspend("a");
        rig.pass(Duration.ofSeconds(1));
        rig.rig.store.resume();
        rig.pass(Duration.ofSeconds(1));

        assertThat(rig.told).containsExactly("a promote", "a demote", "b promote");
        assertThat(rig.breadcrumb()).contains("b");
    }

    @Test
    void ridingOut_isToldToDemoteWhileThereIsTimeForIt() {
        StandbyRig.Node a = rig.node("a", options -> options.whenSuspended(WhenSuspended.RIDE_OUT));
        a.promoted();
        Leadership term = a.standby.leadership().orElseThrow();
        rig.rig.store.suspend("a");
        while (a.hands.idle()) {
            rig.pass(Duration.ofMillis(10));
        }

        assertThat(term.remaining()).isBetween(Duration.ofMillis(1500), Duration.ofMillis(1600));
        assertThat(a.standby.state()).isEqualTo(DEMOTING);
    }

    @Test
    void machineSleeps_isDemotedSoonAfterItWakes() {
        StandbyRig.Node a = rig.node("a", options -> options.whenSuspended(WhenSuspended.RIDE_OUT));
        a.promoted();

        rig.rig.loop.sleep(Rig.TTL.minusMillis(500));
        rig.pass(Duration.ofMillis(150));

        assertThat(rig.told).containsExactly("a promote", "a demote");
    }

    /** In contact all the time: nobody but the node itself notices. */
    @Test
    void frozenWhileActive_lessLeftThanStoppingTakes_isDemoted() {
        StandbyRig.Node a = rig.active("a");
        Leadership term = a.standby.leadership().orElseThrow();
        rig.rig.loop.freeze(term.remaining().minusMillis(1500));
        rig.pass(Duration.ZERO);

        assertThat(rig.told).containsExactly("a promote", "a demote");
        assertThat(term.stopReason()).contains(StopReason.JEOPARDY);
    }

    @Test
    void fencer_fails_isTriedAgainVisiblyAndNobodyIsPromotedMeanwhile() {
        rig.active("a").prompt();
        StandbyRig.Node b = rig.node("b");
        rig.rig.store.expireSessions("a");
        rig.pass(Duration.ofMillis(500));
        b.hands.at("fence").fails("no power switch");

        assertThat(b.standby.state()).isEqualTo(PROMOTING);
        assertThat(b.trouble()).contains("fencing", "a:80", "1 of 3 times", "no power switch");
        rig.pass(Duration.ofSeconds(1));
        b.hands.at("fence").returns();
        b.promoted();

        assertThat(b.standby.state()).isEqualTo(ACTIVE);
        assertThat(b.trouble()).isEmpty();
        assertThat(rig.told).containsExactly("a promote", "a demote", "b fence", "b fence", "b promote");
    }

    /** As one that throws the body of a response. */
    @Test
    void fencer_failsWithAHugeMessage_isTriedAgain() {
        rig.active("a").prompt();
        StandbyRig.Node b = rig.node("b");
        rig.rig.store.expireSessions("a");
        rig.pass(Duration.ofMillis(500));
        b.hands.at("fence").fails("x".repeat(3_000_000));
        assertThat(b.trouble()).contains("1 of 3 times").endsWith("xxx ...").hasSize(2_000);

        rig.pass(Duration.ofSeconds(1));
        b.hands.at("fence").returns();
        b.promoted();

        assertThat(b.standby.state()).isEqualTo(ACTIVE);
    }

    /** The record of the leader's state is for people only. */
    @Test
    void breadcrumb_tooLongToBeShownInTheStateRecord_isFencedAllTheSame() {
        String id = "x".repeat(rig.rig.store.guarantees().maxBytes() - 30);
        rig.leave(new Breadcrumb(id, "", 0, "", Optional.empty()));
        StandbyRig.Node a = rig.node("a");
        rig.pass(Duration.ofSeconds(1));
        a.hands.at("fence").returns();
        a.promoted();

        assertThat(a.standby.state()).isEqualTo(ACTIVE);
    }

    @Test
    void fencer_failsTooOften_anotherNodeGetsItsChance() {
        rig.active("a").prompt();
        StandbyRig.Node b = rig.node("b");
        StandbyRig.Node c = rig.node("c");
        rig.rig.store.expireSessions("a");
        for (int i = 0; i < 3; i++) {
            rig.pass(Duration.ofSeconds(1));
            b.hands.at("fence").fails("no power switch");
        }
        rig.pass(Duration.ofMillis(500));
        assertThat(b.trouble()).contains("3 of 3 times");
        c.hands.at("fence").returns();
        c.promoted();

        assertThat(c.standby.state()).isEqualTo(ACTIVE);
        assertThat(b.states).containsExactly(STANDBY, PROMOTING, STANDBY);
        rig.pass(Duration.ofSeconds(30));
        assertThat(rig.standing()).isEqualTo(3);
    }

    /** As by an access list of the store that leaves out one record. */
    @Test
    void breadcrumb_mayNotBeRead_anotherNodeGetsItsChance() {
        RefusingStore refusing = refusingTo("a");
        refusing.reads = key -> key.tree().equals(ActiveStandby.BREADCRUMBS);
        assertAnotherNodeGetsItsChance(refusing);
    }

    @Test
    void breadcrumb_mayNotBeWritten_anotherNodeGetsItsChance() {
        RefusingStore refusing = refusingTo("a");
        refusing.writes = op -> op.key().tree().equals(ActiveStandby.BREADCRUMBS);
        assertAnotherNodeGetsItsChance(refusing);
    }

    private void assertAnotherNodeGetsItsChance(RefusingStore refusing) {
        StandbyRig.Node a = rig.node("a").prompt();
        StandbyRig.Node b = rig.node("b");
        rig.pass(Duration.ofSeconds(3));
        assertThat(a.trouble()).contains("breadcrumb", "no permission");
        b.promoted();

        assertThat(b.standby.state()).isEqualTo(ACTIVE);
        assertThat(a.states).containsExactly(STANDBY, PROMOTING, STANDBY);
        assertThat(refusing.refused).isEqualTo(3);
        assertThat(rig.told).containsExactly("b promote");
        rig.pass(Duration.ofMinutes(1));
        assertThat(rig.standing()).isEqualTo(2);
        assertThat(b.standby.state()).isEqualTo(ACTIVE);
    }

    /** What all nodes meet in the same way gives none of them a better chance. */
    @Test
    void breadcrumb_storeHasNoSpaceForAWhile_theNodeKeepsTheLead() {
        RefusingStore full = new RefusingStore(rig.rig.store, () -> new StoreUnavailableException("no space"));
        rig.rig.seenBy.put("a", full.store());
        full.writes = op -> op.key().tree().equals(ActiveStandby.BREADCRUMBS);
        StandbyRig.Node a = rig.node("a").prompt();
        StandbyRig.Node b = rig.node("b").prompt();
        rig.pass(Duration.ofMinutes(1));
        assertThat(full.refused).isGreaterThan(3);
        full.writes = op -> false;
        rig.pass(Duration.ofMinutes(1));

        assertThat(a.states).containsExactly(STANDBY, PROMOTING, ACTIVE);
        assertThat(b.states).containsExactly(STANDBY);
    }

    private RefusingStore refusingTo(String client) {
        RefusingStore refusing = new RefusingStore(rig.rig.store, () -> new CoordinationException("no permission"));
        rig.rig.seenBy.put(client, refusing.store());
        return refusing;
    }

    @Test
    void fencer_neverReturns_isGivenUpAndTheNodeDoesNotStandUntilItHas() {
        rig.active("a").prompt();
        StandbyRig.Node b = rig.node("b");
        StandbyRig.Node c = rig.node("c");
        rig.rig.store.expireSessions("a");
        rig.pass(Duration.ofSeconds(3).plusMillis(800));

        assertThat(rig.told).containsExactly("a promote", "a demote", "b fence", "b fence interrupted", "c fence");
        c.hands.at("fence").returns();
        c.promoted();
        rig.pass(Duration.ofMinutes(5));
        assertThat(rig.standing()).isEqualTo(2);
        assertThat(b.stuck).isEmpty();
        b.hands.at("fence").returns();
        rig.pass(Duration.ofSeconds(1));
        assertThat(rig.standing()).isEqualTo(3);
        assertThat(b.states).containsExactly(STANDBY, PROMOTING, STANDBY);
    }

    @Test
    void leadershipLost_whileFencing_theFencerIsInterruptedAndNothingIsPromoted() {
        rig.active("a").prompt();
        StandbyRig.Node b = rig.node("b");
        rig.rig.store.expireSessions("a");
        rig.pass(Duration.ofMillis(500));
        rig.rig.store.expireSessions("b");
        rig.pass(Duration.ofMillis(100));
        assertThat(b.hands.at("fence").interrupted).isTrue();
        b.hands.at("fence").givesUp();

        assertThat(b.states).startsWith(STANDBY, PROMOTING, STANDBY);
        assertThat(rig.told).doesNotContain("b promote", "b demote");
        assertThat(rig.breadcrumb()).contains("a");
    }

    @Test
    void promotion_throws_isTakenBackAndAnotherNodeGetsItsChance() {
        StandbyRig.Node a = rig.node("a");
        StandbyRig.Node b = rig.node("b");
        a.hands.at("promote").fails("port in use");
        assertThat(a.standby.status().trouble().orElseThrow()).contains("port in use");
        a.hands.at("demote").returns();
        b.promoted();

        assertThat(a.states).containsExactly(STANDBY, PROMOTING, DEMOTING, STANDBY);
        assertThat(rig.told).containsExactly("a promote", "a demote", "b promote");
        assertThat(rig.breadcrumb()).contains("b");
    }

    @Test
    void promotion_alwaysThrows_isTriedMoreAndMoreSlowly() {
        StandbyRig.Node a = rig.node(
                "a",
                options -> options.onPromote(
                        leadership -> {
                            throw new IllegalStateException("broken on purpose");
                        },
                        Duration.ofSeconds(5)));
        a.prompt();
        a.hands.at("promote").fails("broken on purpose");
        rig.pass(Duration.ofSeconds(10));
        long early = rig.told.stream().filter("a promote"::equals).count();
        rig.pass(Duration.ofMinutes(10));
        long late = rig.told.stream().filter("a promote"::equals).count();

        assertThat(early).isBetween(2L, 5L);
        assertThat(late - early).isBetween(4L, 20L);
    }

    @Test
    void promotion_failsAgainAndAgain_isATroubleOfTheCoordinatorUntilAnotherNodeIsActive() {
        StandbyRig.Node a = rig.node("a");
        failToPromote(a, 10);
        assertThat(a.client.trouble()).singleElement().satisfies(trouble -> {
            assertThat(trouble.what()).contains("node 'a' of 'boss'");
            assertThat(trouble.why()).contains("port in use");
        });
        StandbyRig.Node b = rig.node("b");
        rig.pass(Duration.ofMillis(10));
        assertThat(a.client.trouble()).isNotEmpty();

        b.promoted();

        assertThat(a.standby.state()).isEqualTo(STANDBY);
        assertThat(a.trouble()).isEmpty();
        assertThat(a.client.trouble()).isEmpty();
    }

    /** Troubles of a coordinator go with its session; what goes on has to be reported again. */
    @Test
    void promotion_failsTheSameWayInANewSession_isATroubleAgain() {
        StandbyRig.Node a = rig.node("a");
        failToPromote(a, 1);
        rig.rig.store.expireSessions("a");
        rig.pass(Duration.ofMillis(10));
        failToPromote(a, 1);

        assertThat(a.client.trouble()).hasSize(1);
    }

    @Test
    void term_endsWithoutTrouble_thatOfBeforeIsOver() {
        StandbyRig.Node a = rig.node("a");
        failToPromote(a, 1);
        rig.pass(Duration.ofSeconds(3));
        assertThat(a.standby.state()).isEqualTo(PROMOTING);
        assertThat(a.trouble()).contains("port in use");
        StandbyRig.Node b = rig.node("b");
        CompletableFuture<Void> done = handOver("b");
        rig.pass(Duration.ofMillis(100));
        a.hands.at("promote").returns();
        a.hands.at("demote").returns();

        assertThat(done).isCompleted();
        assertThat(b.standby.state()).isEqualTo(PROMOTING);
        assertThat(a.trouble()).isEmpty();
        assertThat(a.client.trouble()).isEmpty();
    }

    @Test
    void close_afterAFailure_endsTheTroubleOfTheCoordinator() {
        StandbyRig.Node a = rig.node("a");
        failToPromote(a, 1);
        var closed = a.standby.closeAsync();
        rig.pass(Duration.ofSeconds(1));

        assertThat(closed).isCompleted();
        assertThat(a.client.trouble()).isEmpty();
    }

    @Test
    void demotion_hangsWhileAnotherNodeIsActive_isATroubleUntilItReturns() {
        StandbyRig.Node a = rig.active("a");
        StandbyRig.Node b = rig.node("b").prompt();
        rig.rig.store.expireSessions("a");
        rig.pass(Duration.ofSeconds(3));
        assertThat(b.standby.state()).isEqualTo(ACTIVE);
        assertThat(a.trouble()).contains("has not returned within");
        assertThat(a.client.trouble()).isNotEmpty();

        a.hands.at("demote").returns();
        rig.pass(Duration.ofSeconds(1));

        assertThat(a.trouble()).isEmpty();
        assertThat(a.client.trouble()).isEmpty();
    }

    /** What an earlier leader has written of itself says nothing of the present one. */
    @Test
    void fencer_failsTooOftenAndTheNextOneIsNotActiveYet_staysATrouble() {
        rig.active("a").prompt();
        for (String id : List.of("b", "c")) {
            refusingTo(id).writes = op -> op.key().tree().equals(ActiveStandby.STATES);
        }
        StandbyRig.Node b = rig.unableToFence("b");
        StandbyRig.Node c = rig.node("c");
        rig.rig.store.suspend("a");
        while (c.hands.idle()) {
            rig.pass(Duration.ofMillis(10));
        }
        rig.pass(Duration.ofMillis(10));

        assertThat(b.standby.state()).isEqualTo(STANDBY);
        assertThat(b.trouble()).contains("3 of 3 times");
    }

    private void failToPromote(StandbyRig.Node node, int times) {
        for (int i = 0; i < times; i++) {
            while (node.hands.idle()) {
                rig.pass(Duration.ofMillis(100));
            }
            node.hands.at("promote").fails("port in use");
            node.hands.at("demote").returns();
        }
    }

    @Test
    void promotion_takesTooLong_isInterruptedAndTakenBack() {
        StandbyRig.Node a = rig.node("a");
        StandbyRig.Node b = rig.node("b");
        rig.pass(Duration.ofSeconds(5));
        assertThat(rig.told).containsExactly("a promote", "a promote interrupted");
        assertThat(a.trouble()).contains("promotes", "5 s");
        a.hands.at("promote").returns();
        a.hands.at("demote").returns();

        assertThat(a.states).containsExactly(STANDBY, PROMOTING, DEMOTING, STANDBY);
        assertThat(b.standby.state()).isEqualTo(PROMOTING);
    }

    @Test
    void promotion_neverReturns_lastResortIsTakenAndNobodyElseIsPromoted() {
        StandbyRig.Node a = rig.node("a");
        StandbyRig.Node b = rig.node("b");
        rig.pass(Duration.ofSeconds(30));

        assertThat(a.stuck).hasSize(1);
        assertThat(a.standby.state()).isEqualTo(DEMOTING);
        assertThat(b.standby.state()).isEqualTo(STANDBY);
        assertThat(rig.told).containsExactly("a promote", "a promote interrupted", "a last-resort");
    }

    @Test
    void demotion_neverReturns_isInterruptedThenTheLastResortIsTakenInTime() {
        StandbyRig.Node a = rig.active("a");
        StandbyRig.Node b = rig.node("b");
        rig.rig.store.suspend("a");
        rig.pass(Duration.ofSeconds(1).plusMillis(100));
        assertThat(rig.told).containsExactly("a promote", "a demote", "a demote interrupted");
        assertThat(a.stuck).isEmpty();
        rig.pass(Duration.ofMillis(600));

        assertThat(a.stuck).hasSize(1);
        assertThat(a.stuck.get(0).leadership().remaining()).isPositive();
        assertThat(b.standby.state()).isEqualTo(STANDBY);
    }

    @Test
    void demotion_throws_theNextOneFencesThisNode() {
        StandbyRig.Node a = rig.active("a");
        StandbyRig.Node b = rig.node("b");
        a.standby.closeAsync();
        rig.pass(Duration.ofMillis(10));
        a.hands.at("demote").fails("it still writes");

        rig.pass(Duration.ofMillis(500));
        assertThat(a.standby.state()).isEqualTo(CLOSED);
        assertThat(rig.told).containsExactly("a promote", "a demote", "b fence");
        b.hands.at("fence").returns();
        b.promoted();
        assertThat(b.standby.state()).isEqualTo(ACTIVE);
    }

    @Test
    void demotion_throwsAndNobodyElse_isDemotedAgainBeforeItIsPromoted() {
        StandbyRig.Node a = rig.active("a");
        rig.rig.store.expireSessions("a");
        rig.pass(Duration.ofMillis(100));
        a.hands.at("demote").fails("it still writes");
        rig.pass(Duration.ofMillis(100));
        assertThat(a.standby.state()).isEqualTo(PROMOTING);
        a.hands.at("demote").returns();
        a.promoted();

        assertThat(a.standby.state()).isEqualTo(ACTIVE);
        assertThat(rig.told).containsExactly("a promote", "a demote", "a demote", "a promote");
    }

    @Test
    void demotion_throwsAndAnotherOneWasActiveAndIsKilled_isDemotedBeforeItIsPromoted() {
        StandbyRig.Node a = rig.active("a");
        failToDemoteAndLetAnotherOneBeActiveAndKilled(a);
        assertThat(rig.told).endsWith("b promote", "b demote", "a fence");
        a.hands.at("fence").returns();
        assertThat(rig.told).endsWith("a fence", "a demote");
        a.hands.at("demote").returns();
        a.promoted();

        assertThat(a.standby.state()).isEqualTo(ACTIVE);
        assertThat(rig.told).endsWith("a fence", "a demote", "a promote");
    }

    @Test
    void demotion_throwsWithoutFencerAndAnotherOneWasActiveAndIsKilled_isDemotedBeforeItIsPromoted() {
        StandbyRig.Node a =
                rig.node("a", options -> options.fencer(null, Duration.ZERO).withoutFencer("writes carry the guard"));
        a.promoted();
        failToDemoteAndLetAnotherOneBeActiveAndKilled(a);
        assertThat(rig.told).endsWith("b promote", "b demote", "a demote");
        a.hands.at("demote").returns();
        a.promoted();

        assertThat(a.standby.state()).isEqualTo(ACTIVE);
        assertThat(rig.told).endsWith("a demote", "a promote");
    }

    /** The breadcrumb says that the other one has not gone cleanly, and whoever is active next has to learn that. */
    @Test
    void demotionAgain_closedMeanwhile_leavesTheBreadcrumbOfAnotherOne() {
        StandbyRig.Node a = rig.active("a");
        failToDemoteAndLetAnotherOneBeActiveAndKilled(a);
        a.hands.at("fence").returns();
        assertThat(rig.told).endsWith("a fence", "a demote");
        CompletableFuture<Void> closed = a.standby.closeAsync();
        rig.pass(Duration.ofMillis(100));
        a.hands.at("demote").returns();
        rig.pass(Duration.ofMillis(100));

        assertThat(closed).isCompleted();
        assertThat(rig.breadcrumb()).contains("b");
    }

    /** The other one leaves its breadcrumb, as its hook that demotes does not return. */
    private void failToDemoteAndLetAnotherOneBeActiveAndKilled(StandbyRig.Node a) {
        StandbyRig.Node b = rig.node("b");
        rig.rig.store.expireSessions("a");
        rig.pass(Duration.ofMillis(100));
        a.hands.at("demote").fails("it still writes");
        b.hands.at("fence").returns();
        b.promoted();
        assertThat(b.standby.state()).isEqualTo(ACTIVE);
        rig.pass(Duration.ofSeconds(5));
        rig.rig.store.expireSessions("b");
        rig.pass(Duration.ofMillis(100));
    }

    /** Whatever the hook waits for, the term ends, and with it the lead if the hook can be made to return. */
    @Test
    void demotionAgain_hangs_isInterruptedAndTheLastResortIsTakenAndAnotherNodeLeads() {
        StandbyRig.Node a = rig.active("a");
        rig.rig.store.expireSessions("a");
        rig.pass(Duration.ofMillis(100));
        a.hands.at("demote").fails("it still writes");
        rig.pass(Duration.ofMillis(100));
        StandbyRig.Node b = rig.node("b").prompt();
        ScriptedHands.Scripted again = a.hands.at("demote");
        assertThat(a.standby.state()).isEqualTo(PROMOTING);

        rig.pass(Duration.ofSeconds(30));
        assertThat(again.interrupted).isTrue();
        assertThat(a.trouble()).contains("has not returned within");
        assertThat(a.stuck).hasSize(1);

        again.returns();
        rig.pass(Duration.ofSeconds(1));
        a.hands.at("demote").returns();
        rig.pass(Duration.ofSeconds(1));

        assertThat(b.standby.state()).isEqualTo(ACTIVE);
    }

    @Test
    void health_bad_doesNotStandUntilItIsGood() {
        StandbyRig.Node a = rig.sick("a");
        rig.pass(Duration.ofMinutes(1));
        assertThat(rig.standing()).isZero();
        assertThat(a.standby.status().health()).isEqualTo(StandbyStatus.Health.UNHEALTHY);
        assertThat(a.trouble()).contains("health check says no");

        a.healthy = true;
        rig.pass(Duration.ofMillis(2500));

        assertThat(a.standby.state()).isEqualTo(PROMOTING);
        assertThat(a.trouble()).isEmpty();
    }

    @Test
    void health_activeTurnsBad_handsOverAndStandsBehindOnceItIsGood() {
        StandbyRig.Node a = rig.checked("a").prompt();
        rig.pass(Duration.ofSeconds(2));
        StandbyRig.Node b = rig.node("b").prompt();
        assertThat(a.standby.state()).isEqualTo(ACTIVE);
        a.healthy = false;
        rig.pass(Duration.ofMillis(1500));
        assertThat(a.standby.state()).isEqualTo(ACTIVE);
        rig.pass(Duration.ofSeconds(2));

        assertThat(a.standby.state()).isEqualTo(STANDBY);
        assertThat(b.standby.state()).isEqualTo(ACTIVE);
        assertThat(rig.standing()).isEqualTo(1);
        assertThat(rig.told).doesNotContain("b fence");
        a.healthy = true;
        rig.pass(Duration.ofSeconds(3));
        assertThat(rig.standing()).isEqualTo(2);
        assertThat(b.standby.state()).isEqualTo(ACTIVE);
    }

    @Test
    void health_turnsBadInTheLine_leavesItAndComesBack() {
        rig.active("a");
        StandbyRig.Node b = rig.checked("b");
        rig.pass(Duration.ofSeconds(2));
        assertThat(rig.standing()).isEqualTo(2);
        b.healthy = false;
        rig.pass(Duration.ofSeconds(4));
        assertThat(rig.standing()).isEqualTo(1);
        b.healthy = true;
        rig.pass(Duration.ofSeconds(3));
        assertThat(rig.standing()).isEqualTo(2);
    }

    @Test
    void health_throws_isBad() {
        StandbyRig.Node a = rig.node(
                "a",
                options -> options.health(() -> {
                    throw new IllegalStateException("disk full");
                }));
        rig.pass(Duration.ofSeconds(10));

        assertThat(rig.standing()).isZero();
        assertThat(a.trouble()).contains("disk full");
    }

    @Test
    void health_hangs_isBadAndOnlyOneCheckHangs() {
        StandbyRig.Node a = rig.checked("a").prompt();
        rig.pass(Duration.ofSeconds(2));
        StandbyRig.Node b = rig.node("b").prompt();
        assertThat(a.standby.state()).isEqualTo(ACTIVE);
        a.hands.slow("health");
        rig.pass(Duration.ofSeconds(10));

        assertThat(a.hands.at("health").interrupted).isTrue();
        assertThat(a.standby.state()).isEqualTo(STANDBY);
        assertThat(b.standby.state()).isEqualTo(ACTIVE);
        a.hands.prompt("health");
        a.hands.at("health").returns();
        rig.pass(Duration.ofSeconds(4));
        assertThat(rig.standing()).isEqualTo(2);
    }

    @Test
    void withoutFencer_uncleanOne_isPassedOverWithAWord() {
        rig.active("a");
        StandbyRig.Node b =
                rig.node("b", options -> options.fencer(null, Duration.ZERO).withoutFencer("writes carry the guard"));
        rig.rig.store.expireSessions("a");
        rig.pass(Duration.ofMillis(500));

        assertThat(b.trouble()).contains("a:80", "writes carry the guard");
        b.promoted();
        assertThat(rig.told).containsExactly("a promote", "a demote", "b promote");
    }

    @Test
    void coordinator_closed_demotesFirstAndLeavesNoBreadcrumb() {
        StandbyRig.Node a = rig.active("a").prompt();

        var closed = a.client.closeAsync();
        rig.pass(Duration.ofSeconds(1));

        assertThat(closed).isCompleted();
        assertThat(a.states).endsWith(ACTIVE, DEMOTING, STANDBY, CLOSED);
        assertThat(rig.breadcrumb()).isEmpty();
    }

    /** Frozen after any single task: what was not begun by then is not begun with a leadership that is over. */
    @Test
    void frozen_anywhereBeforePromotion_isNotPromoted() {
        int begun = 0;
        for (int tasks = 1; tasks <= 60; tasks++) {
            StandbyRig frozen = new StandbyRig("standby-frozen");
            StandbyRig.Node a = frozen.unstarted("a");
            a.standby.start();
            frozen.rig.loop.run(tasks);
            boolean before = frozen.told.contains("a promote");
            frozen.rig.loop.freeze(Rig.TTL);
            frozen.rig.loop.run(200);
            long promotions = frozen.told.stream().filter("a promote"::equals).count();

            begun += before ? 1 : 0;
            assertThat(promotions == 0 || before || a.standby.status().term() > 1)
                    .as("frozen after %d tasks: %s", tasks, frozen.told)
                    .isTrue();
        }
        assertThat(begun).isBetween(10, 50);
    }

    /** Frozen after any single task: the answer that names the former active node may be handled only afterwards. */
    @Test
    void frozen_anywhereBeforeFencing_nobodyIsFenced() {
        int begun = 0;
        for (int tasks = 1; tasks <= 60; tasks++) {
            StandbyRig frozen = afterAnUncleanOne("standby-frozen-before-fencing");
            StandbyRig.Node a = frozen.unstarted("a");
            a.standby.start();
            frozen.rig.loop.run(tasks);
            boolean before = frozen.told.contains("a fence");
            frozen.rig.loop.freeze(Rig.TTL);
            frozen.rig.loop.run(200);

            begun += before ? 1 : 0;
            assertThat(frozen.told.contains("a fence"))
                    .as("frozen after %d tasks: %s", tasks, frozen.told)
                    .isEqualTo(before);
        }
        assertThat(begun).isBetween(10, 50);
    }

    @Test
    void fencer_threadBeginsTooLate_nobodyIsFenced() {
        StandbyRig late = afterAnUncleanOne("standby-fencer-late");
        KeptEvents kept = new KeptEvents();
        late.rig.telemetry.add(kept);
        StandbyRig.Node a = late.node("a");
        late.rig.loop.freeze(Rig.TTL);
        a.hands.at("fence").returns();

        assertThat(a.fenced).isEmpty();
        assertThat(a.trouble()).doesNotContain("has failed");
        assertThat(kept.events).anyMatch(event -> event.startsWith("a fences b #1 CANCELLED"));
        assertThat(late.told).doesNotContain("a promote");
        assertThat(late.breadcrumb()).contains("b");
    }

    @Test
    void fencer_toldToStopBeforeItsThreadBegins_nobodyIsFenced() {
        StandbyRig stopped = afterAnUncleanOne("standby-fencer-stopped");
        StandbyRig.Node a = stopped.node("a");
        CompletableFuture<Void> closed = a.standby.closeAsync();
        stopped.pass(Duration.ofMillis(100));
        a.hands.at("fence").returns();

        assertThat(a.fenced).isEmpty();
        assertThat(closed).isCompleted();
        assertThat(stopped.breadcrumb()).contains("b");
    }

    /** Nodes of an election whose former active node, b, has not gone cleanly. */
    private static StandbyRig afterAnUncleanOne(String store) {
        StandbyRig rig = new StandbyRig(store);
        rig.leave(new Breadcrumb("b", "b:80", 0, "its run", Optional.empty()));
        return rig;
    }

    @Test
    void promotion_toldToStopBeforeItsThreadBegins_hookIsNotRun() {
        List<String> ran = new ArrayList<>();
        StandbyRig.Node a =
                rig.node("a", options -> options.onPromote(leadership -> ran.add("hook"), Duration.ofSeconds(5)));
        CompletableFuture<Void> closed = a.standby.closeAsync();
        rig.pass(Duration.ofMillis(100));
        a.hands.at("promote").returns();
        a.hands.at("demote").returns();

        assertThat(ran).isEmpty();
        assertThat(closed).isCompleted();
        assertThat(rig.breadcrumb()).isEmpty();
    }

    @Test
    void promotion_threadBeginsTooLate_hookIsNotRun() {
        List<String> ran = new ArrayList<>();
        StandbyRig.Node a =
                rig.node("a", options -> options.onPromote(leadership -> ran.add("hook"), Duration.ofSeconds(5)));
        rig.rig.loop.freeze(Rig.TTL);
        a.hands.at("promote").returns();

        assertThat(ran).isEmpty();
        assertThat(a.states).doesNotContain(ACTIVE);
    }

    @Test
    void claim_answerLost_isPromotedOnceItIsKnown() {
        Set<String> struck = new HashSet<>();
        for (int n = 1; n <= 25; n++) {
            String id = "n" + n;
            StandbyRig.Node node = rig.unstarted(id).prompt();
            Outage outage = rig.rig.store.outage(id, Outage.When.AFTER_REQUEST, n);
            node.standby.start();
            rig.pass(Duration.ofSeconds(40));
            assertThat(node.standby.state()).as("cut at request %d", n).isEqualTo(ACTIVE);
            node.standby.closeAsync();
            rig.pass(Duration.ofSeconds(40));
            outage.cancel();
            outage.triggeredAt().ifPresent(struck::add);
            assertThat(node.standby.state()).isEqualTo(CLOSED);
            assertThat(rig.breadcrumb()).isEmpty();
        }
        assertThat(struck).contains("transact");
        assertThat(rig.told).noneMatch(what -> what.contains("fence"));
    }

    @Test
    void sameId_onOneCoordinator_isRefused() {
        StandbyRig.Node a = rig.active("a");
        ActiveStandby again = ActiveStandby.builder(a.client, StandbyRig.ELECTION, "a")
                .onPromote(leadership -> {}, Duration.ofSeconds(1))
                .onDemote(leadership -> {}, Duration.ofSeconds(1))
                .withoutFencer("a test")
                .build();

        assertThatThrownBy(again::start)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("has a standby node 'a'");
        a.prompt().standby.closeAsync();
        rig.pass(Duration.ofSeconds(1));
        StandbyRig.Node next = rig.node("a");
        assertThat(next.standby.state()).isEqualTo(PROMOTING);
    }

    @Test
    void handOver_byAPerson_demotesTheActiveOneAndPromotesTheNamedOneUnfenced() {
        StandbyRig.Node a = rig.active("a").prompt();
        StandbyRig.Node b = rig.node("b").prompt();
        StandbyRig.Node c = rig.node("c").prompt();
        CompletableFuture<Void> done = handOver("c");
        rig.pass(Duration.ofMillis(100));

        assertThat(done).isCompleted();
        assertThat(a.states).endsWith(ACTIVE, DEMOTING, STANDBY);
        assertThat(c.standby.state()).isEqualTo(ACTIVE);
        assertThat(b.standby.state()).isEqualTo(STANDBY);
        assertThat(c.fenced).isEmpty();
        assertThat(rig.breadcrumb()).contains("c");
    }

    @Test
    void handOver_toANodeThatIsNotFit_isRefusedAndTheActiveOneGoesOn() {
        StandbyRig.Node a = rig.active("a").prompt();
        rig.sick("b");
        CompletableFuture<Void> done = handOver("b");
        rig.pass(Duration.ofSeconds(1));

        assertThat(done).isCompletedExceptionally();
        assertThat(a.standby.state()).isEqualTo(ACTIVE);
    }

    @Test
    void priority_fitterNodeStandsBy_becomesActiveOnceUnlessAPersonHasDecided() {
        StandbyRig.Node a = rig.active("a").prompt();
        StandbyRig.Node b = rig.node("b", options -> options.priority(1).priorityDelay(Duration.ofSeconds(3)))
                .prompt();
        rig.pass(Duration.ofMillis(2900));
        assertThat(a.standby.state()).isEqualTo(ACTIVE);
        rig.pass(Duration.ofMillis(200));
        assertThat(a.standby.state()).isEqualTo(STANDBY);
        assertThat(b.standby.state()).isEqualTo(ACTIVE);
        assertThat(b.fenced).isEmpty();

        CompletableFuture<Void> back = handOver("a");
        rig.pass(Duration.ofMinutes(10));
        assertThat(back).isCompleted();
        assertThat(a.standby.state()).isEqualTo(ACTIVE);
    }

    @Test
    void paused_activeOneGoes_isKeptByTheOthersAsTheirStatusSays() {
        StandbyRig.Node a = rig.active("a").prompt();
        StandbyRig.Node b = rig.node("b").prompt();
        LeaderElection election = LeaderElection.named(rig.rig.client("operator"), StandbyRig.ELECTION);
        CompletableFuture<Pause> paused = election.pauseAsync("ops", "racks", Duration.ofSeconds(5));
        rig.pass(Duration.ofSeconds(1));
        assertThat(a.standby.state()).isEqualTo(ACTIVE);
        a.standby.closeAsync();
        rig.pass(Duration.ofMinutes(1));

        assertThat(b.standby.state()).isEqualTo(STANDBY);
        assertThat(b.standby.status().pause()).contains(paused.join());
        var unused = election.resumeAsync(Duration.ofSeconds(5));
        rig.pass(Duration.ofSeconds(1));
        assertThat(b.standby.state()).isEqualTo(ACTIVE);
        assertThat(b.fenced).isEmpty();
    }

    private CompletableFuture<Void> handOver(String id) {
        return LeaderElection.named(rig.rig.client("operator"), StandbyRig.ELECTION)
                .handOverAsync(id, Duration.ofSeconds(5));
    }

    @Test
    void leaderState_fromTheElectionToTheEnd_isTold() {
        List<LeaderState> told = new ArrayList<>();
        var following = states(told);
        StandbyRig.Node a = rig.active("a");
        rig.pass(Duration.ofSeconds(1));
        long term = a.standby.status().term();
        assertThat(told).extracting(LeaderState::phase).containsExactly(STARTING, LeaderState.Phase.ACTIVE);
        assertThat(told).allSatisfy(state -> assertThat(state.term()).isEqualTo(term));
        assertThat(told.get(1).asOf()).isAfterOrEqualTo(told.get(0).asOf());

        a.standby.closeAsync();
        rig.pass(Duration.ofMillis(500));
        assertThat(told).extracting(LeaderState::phase).endsWith(STOPPING);
        following.close();
    }

    @Test
    void leaderState_formerOneIsFenced_saysWhomAndWhatGoesWrong() {
        rig.active("a");
        rig.rig.store.suspend("a");
        StandbyRig.Node b = rig.node("b");
        List<LeaderState> told = new ArrayList<>();
        var following = states(told);
        while (b.standby.state() == STANDBY) {
            rig.pass(Duration.ofMillis(10));
        }
        rig.rig.loop.run();
        assertThat(told).extracting(LeaderState::phase).endsWith(STARTING, FENCING);
        assertThat(told).last().extracting(LeaderState::about).isEqualTo("a");

        b.hands.at("fence").fails("no power switch");
        rig.pass(Duration.ofMillis(100));
        assertThat(told).last().satisfies(state -> {
            assertThat(state.phase()).isEqualTo(FENCING);
            assertThat(state.about()).contains("has failed 1 of 3 times").contains("no power switch");
        });
        following.close();
    }

    @Test
    void leaderState_mayNotBeWritten_isATroubleUntilItMayOrTheTermEnds() {
        RefusingStore refusing = refusingTo("a");
        StandbyRig.Node a = rig.active("a").prompt();
        for (boolean closed : new boolean[] {false, true}) {
            refusing.writes = op -> op.key().tree().equals(ActiveStandby.STATES);
            a.standby.leadership().ifPresent(Leadership::resign);
            rig.pass(Duration.ofMinutes(1));
            assertThat(a.standby.state()).isEqualTo(ACTIVE);
            assertThat(a.client.trouble()).singleElement().satisfies(trouble -> {
                assertThat(trouble.what()).contains("node 'a' of 'boss'", "cannot write its state");
                assertThat(trouble.why()).contains("no permission");
            });
            if (closed) {
                a.standby.closeAsync();
            } else {
                refusing.writes = op -> false;
            }
            rig.pass(Duration.ofMinutes(1));
            assertThat(a.client.trouble()).isEmpty();
        }
    }

    @Test
    void leaderState_anyRequestLost_isToldInTheEnd() {
        List<LeaderState> told = new ArrayList<>();
        var following = states(told);
        for (int n = 1; n <= 25; n++) {
            String id = "n" + n;
            Outage outage = rig.rig.store.outage(id, Outage.When.BEFORE_REQUEST, n);
            StandbyRig.Node node = rig.node(id, options -> options.whenSuspended(WhenSuspended.RIDE_OUT))
                    .prompt();
            rig.pass(Duration.ofSeconds(2));
            if (node.standby.state() == PROMOTING) {
                node.hands.at("promote").returns();
            }
            rig.pass(Duration.ofSeconds(40));

            assertThat(node.standby.state()).as("cut at request %d", n).isEqualTo(ACTIVE);
            assertThat(told).as("cut at request %d", n).last().satisfies(state -> {
                assertThat(state.phase()).isEqualTo(LeaderState.Phase.ACTIVE);
                assertThat(state.term()).isEqualTo(node.standby.status().term());
            });
            outage.cancel();
            node.standby.closeAsync();
            rig.pass(Duration.ofSeconds(40));
        }
        following.close();
    }

    private Subscription states(List<LeaderState> told) {
        var following = LeaderElection.named(rig.rig.client("looker"), StandbyRig.ELECTION)
                .onLeaderState(state -> state.ifPresent(told::add));
        rig.rig.loop.run();
        return following;
    }

    @Test
    void sameId_asACandidateOfTheCoordinator_isRefusedUntilThatOneIsOver() {
        StandbyRig.Node a = rig.unstarted("a");
        LeaderElection election = LeaderElection.named(a.client, StandbyRig.ELECTION);
        Rig.Work work = rig.rig.work("candidate");
        Candidacy candidacy = election.runAsync(Candidate.of("a"), work);
        rig.pass(Duration.ofMillis(100));

        assertThatThrownBy(a.standby::start)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("has a candidate 'a'")
                .hasMessageContaining("each standby node needs an id of its own");
        candidacy.closeAsync();
        rig.pass(Duration.ofMillis(100));
        work.end();
        a.standby.start();
        rig.pass(Duration.ofMillis(100));
        assertThat(a.standby.state()).isEqualTo(PROMOTING);
    }

    @Test
    void sameId_asANodeThatIsNotInTheLine_isRefusedToACandidate() {
        StandbyRig.Node a = rig.sick("a");
        LeaderElection election = LeaderElection.named(a.client, StandbyRig.ELECTION);
        rig.pass(Duration.ofSeconds(10));
        assertThat(rig.standing()).isZero();

        assertThatThrownBy(() -> election.runAsync(Candidate.of("a"), rig.rig.work("candidate")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("has a standby node 'a'")
                .hasMessageContaining("each candidate needs an id of its own");
    }

    /** Only a leader writes one, so this node's entry has gone, though it has not heard of that yet. */
    @Test
    void breadcrumb_ofALaterTerm_itsAuthorIsNotFenced() {
        rig.leave(new Breadcrumb("b", "b:80", Long.MAX_VALUE, "its run", Optional.empty()));
        StandbyRig.Node a = rig.node("a");
        rig.pass(Duration.ofSeconds(2));

        assertThat(rig.told).isEmpty();
        assertThat(a.standby.state()).isEqualTo(PROMOTING);
        assertThat(a.trouble()).contains("later term", "'b'");
        assertThat(rig.breadcrumb()).contains("b");
    }

    @Test
    void sameId_ofAnEarlierProcess_isFenced() {
        rig.active("a");
        rig.rig.store.suspend("a");
        rig.pass(Rig.TTL.multipliedBy(2));
        rig.rig.store.resume();
        StandbyRig.Node again = rig.node("a");
        rig.pass(Duration.ofMillis(100));

        assertThat(again.standby.state()).isEqualTo(PROMOTING);
        again.hands.at("fence").returns();
        assertThat(again.fenced).extracting(Breadcrumb::id).containsExactly("a");
    }

    @Test
    void close_afterAnySingleTask_leavesNoBreadcrumbAndPromotesNothingAnyMore() {
        for (int tasks = 0; tasks <= 60; tasks++) {
            StandbyRig closed = new StandbyRig("standby-closed");
            StandbyRig.Node a = closed.unstarted("a").prompt();
            a.standby.start();
            closed.rig.loop.run(tasks);
            a.standby.closeAsync();
            closed.pass(Duration.ofSeconds(5));

            assertThat(a.standby.state()).as("closed after %d tasks", tasks).isEqualTo(CLOSED);
            assertThat(closed.breadcrumb()).as("closed after %d tasks", tasks).isEmpty();
            assertThat(closed.told.contains("a promote"))
                    .as("closed after %d tasks", tasks)
                    .isEqualTo(closed.told.contains("a demote"));
        }
    }

    @Test
    void sameId_elsewhere_isTold() {
        rig.active("a");
        StandbyRig.Node twin = rig.node("a");

        assertThat(twin.trouble()).contains("another candidate of the id 'a' leads");
    }
}
