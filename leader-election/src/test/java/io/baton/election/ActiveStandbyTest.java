package io.baton.election;

import static io.baton.election.ActiveStandby.State.ACTIVE;
import static io.baton.election.ActiveStandby.State.CLOSED;
import static io.baton.election.ActiveStandby.State.DEMOTING;
import static io.baton.election.ActiveStandby.State.PROMOTING;
import static io.baton.election.ActiveStandby.State.STANDBY;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
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
    void sessionExpired_nextOne_fencesFirst() {
        StandbyRig.Node a = rig.node("a").prompt();
        rig.pass(Duration.ofSeconds(1));
        StandbyRig.Node b = rig.node("b");
        assertThat(a.standby.state()).isEqualTo(STANDBY).isNotNull();
    }
}
