package io.baton.config.internal.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.config.Canary;
import io.baton.config.ConfigSource;
import io.baton.config.FleetMember;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What there is against making a canary a change for all. */
class CanaryObjectionsTest {

    private static final Canary CANARY = canary("");

    private static Canary canary(String held) {
        return new Canary(
                "c1",
                "me",
                Instant.EPOCH,
                Duration.ofMinutes(5),
                Map.of("zone", "z1"),
                100,
                Map.of("p1", "web-1", "p2", "web-2"),
                2,
                held,
                List.of());
    }

    private static FleetMember member(String process, String id, String canary, long asked, boolean approves) {
        return new FleetMember(
                id, process, "h", Map.of("zone", "z1"), ConfigSource.LIVE, 7, 70, canary, asked, approves, "");
    }

    private static final FleetMember FIRST = member("p1", "web-1", "c1", 2, true);
    private static final FleetMember SECOND = member("p2", "web-2", "c1", 2, true);

    @Test
    void objections_allRunItAndHaveAnswered_none() {
        assertThat(CANARY.objections(List.of(FIRST, SECOND))).isEmpty();
        FleetMember elsewhere =
                new FleetMember("db", "p9", "h", Map.of("zone", "z2"), ConfigSource.LIVE, 7, 70, "", 0, true, "");
        assertThat(CANARY.objections(List.of(FIRST, SECOND, elsewhere))).isEmpty();
    }

    @Test
    void objections_held_saysWhy() {
        assertThat(canary("web-1: too large").objections(List.of(FIRST, SECOND)))
                .containsExactly("it is held: web-1: too large");
    }

    @Test
    void objections_nobodyWasChosen_isOne() {
        Canary untried = new Canary(
                "c1",
                "me",
                Instant.EPOCH,
                Duration.ofMinutes(5),
                Map.of("zone", "z9"),
                100,
                Map.of(),
                2,
                "",
                List.of());
        assertThat(untried.objections(List.of(FIRST, SECOND))).containsExactly("no instance was chosen to try it");
    }

    @Test
    void objections_entryHasGone_isOne() {
        assertThat(CANARY.objections(List.of(FIRST))).containsExactly("web-2 is gone");
    }

    @Test
    void objections_anotherProcessUnderTheSameName_wasRestarted() {
        FleetMember again = member("p3", "web-2", "", 2, true);
        assertThat(CANARY.objections(List.of(FIRST, again))).containsExactly("web-2 was restarted");
        assertThat(CANARY.objections(List.of(FIRST, SECOND, again))).containsExactly("web-2 was restarted");
    }

    @Test
    void objections_entryOfAKilledProcessStillStands_doesNotAnswer() {
        assertThat(CANARY.objections(List.of(FIRST, member("p2", "web-2", "c1", 1, true))))
                .containsExactly("web-2 does not answer");
    }

    @Test
    void objections_doesNotRunOrApprove_isOne() {
        assertThat(CANARY.objections(
                        List.of(member("p1", "web-1", "", 2, true), member("p2", "web-2", "c1", 2, false))))
                .containsExactlyInAnyOrder("web-1 does not run it", "web-2 has not approved it");
    }

    @Test
    void objections_oneHasComeSince_isOne() {
        assertThat(CANARY.objections(List.of(FIRST, SECOND, member("p4", "web-4", "", 2, true))))
                .containsExactly("web-4 has come since it began");
    }

    @Test
    void objections_twoProcessesOfOneInstance_areTwo() {
        Canary twice = new Canary(
                "c1",
                "me",
                Instant.EPOCH,
                Duration.ZERO,
                Map.of(),
                100,
                Map.of("p1", "web", "p2", "web"),
                0,
                "",
                List.of());
        FleetMember one = member("p1", "web", "c1", 0, true);
        assertThat(twice.objections(List.of(one))).containsExactly("web is gone");
        assertThat(twice.objections(List.of(one, member("p2", "web", "c1", 0, true))))
                .isEmpty();
    }
}
