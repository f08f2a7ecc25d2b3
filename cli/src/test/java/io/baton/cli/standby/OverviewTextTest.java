package io.baton.cli.standby;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.election.ActiveStandby.State;
import io.baton.election.Leader;
import io.baton.election.Pause;
import io.baton.election.StandbyMember;
import io.baton.election.StandbyMember.Readiness;
import io.baton.election.StandbyOverview;
import io.baton.election.StandbyStatus.Health;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OverviewTextTest {

    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05.006Z");

    @Test
    void lines_nodeThatWaits_saysUntilWhenAndWhy() {
        StandbyMember waits = member("b", 0, Readiness.WAITING, Optional.of(NOW.plusSeconds(64)), "no\npower\u001b");
        assertThat(OverviewText.lines("x", overview(waits, Optional.empty())))
                .containsExactly(
                        "'x': a leads, term 7",
                        "'x': no breadcrumb: nobody is to be fenced",
                        "  NODE  PLACE  STATE    READY    HEALTH   AS OF                 ADDRESS",
                        "  b     -      standby  waiting  healthy  2026-01-02T03:04:05Z  -",
                        "'x': b waits until 2026-01-02T03:05:09Z: no; power\\u001b",
                        "'x': candidates that are no nodes: a");
        assertThat(OverviewJson.of("x", overview(waits, Optional.empty())))
                .contains("\"again\":\"2026-01-02T03:05:09.006Z\",\"trouble\":\"no\\u000apower\\u001b\"")
                .contains("\"others\":[\"a\"]");
    }

    @Test
    void lines_paused_theOnesThatKeepOutOfTheLineStandAside() {
        var pause = Optional.of(new Pause("ops", NOW, "racks", Optional.of("a")));
        StandbyMember fit = member("b", 0, Readiness.READY, Optional.empty(), "");
        assertThat(OverviewText.lines("x", overview(fit, pause)))
                .contains("'x': paused by ops since 2026-01-02T03:04:05.006Z: racks")
                .anyMatch(line -> line.matches("  b +- +standby +aside +healthy .*"));
        assertThat(OverviewText.readiness(fit, Optional.empty())).isEqualTo("ready");
        StandbyMember unfit = member("b", 0, Readiness.UNFIT, Optional.empty(), "");
        assertThat(OverviewText.readiness(unfit, pause)).isEqualTo("unfit");
        StandbyMember named = member("a", 0, Readiness.READY, Optional.empty(), "");
        assertThat(OverviewText.readiness(named, pause)).isEqualTo("ready");
    }

    private static StandbyOverview overview(StandbyMember member, Optional<Pause> pause) {
        Leader leader = new Leader("a", "", Map.of(), 7, 0);
        return new StandbyOverview(
                Optional.of(leader), Optional.empty(), List.of(member), List.of("a"), Optional.empty(), pause);
    }

    private static StandbyMember member(
            String id, int place, Readiness readiness, Optional<Instant> again, String trouble) {
        return new StandbyMember(
                id,
                "run",
                "",
                0,
                place,
                State.STANDBY,
                readiness,
                Health.HEALTHY,
                again,
                Optional.of(trouble).filter(what -> !what.isEmpty()),
                NOW);
    }
}
