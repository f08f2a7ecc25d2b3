package io.baton.election;

import static io.baton.election.ActiveStandby.State.ACTIVE;
import static io.baton.election.ActiveStandby.State.PROMOTING;
import static io.baton.election.ActiveStandby.State.STANDBY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.election.internal.line.ElectionLine;
import io.baton.election.internal.standby.WakeRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Nodes that wait after a failure and are to try again at once, on virtual time. */
class StandbyWakeTest {

    private static final Duration LITTLE = Duration.ofMillis(1);

    private final StandbyRig rig = new StandbyRig("standby-wake");

    @Test
    void wake_betweenTwoAttemptsToFence_fencesAtOnceAndCountsAnew() {
        StandbyRig.Node b = fencing();
        rig.failToFence(b, 2);
        assertThat(b.hands.idle()).isTrue();
        b.standby.wake();
        rig.pass(LITTLE);

        b.hands.at("fence").fails("no power switch");
        assertThat(b.trouble()).contains("has failed 1 of 3 times");
        assertThat(b.standby.state()).isEqualTo(PROMOTING);
        rig.pass(Duration.ofMillis(450));
        b.hands.at("fence").returns();
        b.promoted();
        assertThat(b.standby.state()).isEqualTo(ACTIVE);
    }

    /** The pause that was cut short must not end another one. */
    @Test
    void wake_andFencingFailsAgain_waitsItsFullTime() {
        StandbyRig.Node b = fencing();
        rig.failToFence(b, 2);
        b.standby.wake();
        rig.pass(LITTLE);
        rig.failToFence(b, 2);
        long fenced = fencings();
        rig.pass(Duration.ofMillis(399));
        assertThat(fencings()).isEqualTo(fenced);
        rig.pass(Duration.ofMillis(402));
        assertThat(fencings()).isEqualTo(fenced + 1);
    }

    @Test
    void wake_leftAfterFailedFencing_standsAtOnceAndTheWaitingBeginsAnew() {
        rig.active("a").prompt();
        rig.rig.store.suspend("a");
        StandbyRig.Node b = rig.unableToFence("b");
        rig.failForLong();
        assertThat(b.standby.state()).isEqualTo(STANDBY);
        long fenced = fencings();

        b.standby.wake();
        rig.pass(Duration.ofMillis(100));
        assertThat(fencings()).isEqualTo(fenced + 1);
        rig.pass(Duration.ofSeconds(4));
        assertThat(fencings()).isGreaterThan(fenced + 3);
    }

    @Test
    void wake_promotionHasFailed_promotesAtOnce() {
        StandbyRig.Node a = rig.node("a");
        a.hands.at("promote").fails("port in use");
        a.hands.at("demote").returns();
        rig.pass(Duration.ofMillis(100));
        assertThat(a.standby.state()).isEqualTo(STANDBY);
        a.standby.wake();
        rig.pass(Duration.ofMillis(100));

        assertThat(a.standby.state()).isEqualTo(PROMOTING);
        a.promoted();
        assertThat(rig.told).containsExactly("a promote", "a demote", "a promote");
    }

    /** At any moment: neither hooks at once, nor one that is lost, nor a breadcrumb that stays. */
    @Test
    void wake_afterAnySingleTask_changesNothingForWhoDoesNotWait() {
        for (int tasks = 0; tasks <= 60; tasks++) {
            StandbyRig woken = new StandbyRig("standby-woken");
            StandbyRig.Node a = woken.unstarted("a").prompt();
            a.standby.start();
            woken.rig.loop.run(tasks);
            a.standby.wake();
            woken.pass(Duration.ofSeconds(1));

            assertThat(woken.told).as("woken after %d tasks", tasks).containsExactly("a promote");
            a.standby.closeAsync();
            woken.pass(Duration.ofSeconds(1));
            assertThat(woken.told).as("woken after %d tasks", tasks).containsExactly("a promote", "a demote");
            assertThat(woken.breadcrumb()).isEmpty();
        }
    }

    @Test
    void wake_notHealthy_staysOutOfTheLine() {
        StandbyRig.Node a = rig.sick("a");
        rig.pass(Duration.ofSeconds(5));
        a.standby.wake();
        rig.pass(Duration.ofSeconds(5));

        assertThat(rig.standing()).isZero();
    }

    @Test
    void wake_fencerHasNotReturned_staysOutOfTheLine() {
        StandbyRig.Node b = fencing();
        rig.pass(Duration.ofSeconds(4));
        assertThat(rig.told).contains("b fence interrupted");
        b.standby.wake();
        rig.pass(Duration.ofMinutes(5));

        assertThat(rig.standing()).isZero();
        assertThat(fencings()).isEqualTo(1);
    }

    @Test
    void wake_byAnOperator_hasAllNodesThatWaitTryAgain() {
        rig.active("a").prompt();
        rig.rig.store.suspend("a");
        StandbyRig.Node b = rig.unableToFence("b");
        StandbyRig.Node c = rig.unableToFence("c");
        rig.failForLong();
        assertThat(b.standby.status().state()).isEqualTo(STANDBY);
        rig.told.clear();
        CompletableFuture<Void> woken = rig.operator().wakeAsync("ops");
        rig.pass(Duration.ofSeconds(4));

        assertThat(woken).isCompleted();
        assertThat(rig.told).startsWith("b fence", "b fence", "b fence", "c fence", "c fence", "c fence");
        assertThat(b.standby.status().trouble()).isPresent();
        assertThat(c.standby.status().trouble()).isPresent();
    }

    @Test
    void observe_wishOfBefore_isNoNews() {
        var before = rig.operator().wakeAsync("ops");
        rig.pass(LITTLE);
        assertThat(before).isCompleted();
        List<String> told = new ArrayList<>();
        var following =
                new WakeRecord(ElectionLine.named(rig.rig.client("looker"), StandbyRig.ELECTION)).observe(told::add);
        rig.pass(LITTLE);
        assertThat(told).isEmpty();
        var unused = rig.operator().wakeAsync("ops2");
        rig.pass(LITTLE);

        assertThat(told).containsExactly("ops2");
        following.close();
    }

    @Test
    void wake_byAnOperatorWhileTheNodeIsOutOfContact_countsOnceItIsBack() {
        StandbyRig.Node b = fencing();
        rig.failToFence(b, 3);
        rig.pass(Duration.ofMillis(100));
        rig.rig.store.suspend("b");
        rig.pass(Duration.ofMillis(100));
        var unused = rig.operator().wakeAsync("ops");
        rig.pass(Duration.ofMillis(100));
        assertThat(rig.standing()).isZero();
        rig.rig.store.resume();
        rig.pass(Duration.ofMillis(300));

        assertThat(rig.standing())
                .as("the one that is back, and the one that is woken")
                .isEqualTo(2);
    }

    @Test
    void wake_byNobody_isRefused() {
        StandbyAdmin operator = rig.operator();
        assertThatThrownBy(() -> operator.wakeAsync(" "))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("by must not be empty");
        assertThatThrownBy(() -> operator.wakeAsync("a\nb")).isInstanceOf(IllegalArgumentException.class);
    }

    /** A node that leads, and fences the one before it, which is cut off for good. */
    private StandbyRig.Node fencing() {
        rig.active("a").prompt();
        StandbyRig.Node b = rig.node("b");
        rig.rig.store.suspend("a");
        while (b.hands.idle()) {
            rig.pass(Duration.ofMillis(10));
        }
        return b;
    }

    private long fencings() {
        return rig.told.stream().filter("b fence"::equals).count();
    }
}
