package io.baton.cli.leader;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.election.Leader;
import io.baton.election.LeaderState;
import io.baton.election.Pause;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LeaderLineTest {

    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05.006Z");
    private static final ZoneId ZONE = ZoneId.of("Europe/Berlin");

    @Test
    void text_changeSeen_hasTheLocalTime() {
        assertThat(change(Optional.empty())).isEqualTo("04:04:05.006  nobody leads");
    }

    @Test
    void text_idThatDoesMoreThanBeingSeen_isShown() {
        var leader = new Leader("a\u001b[31m\u202e", "b\u0000", Map.of("k\n", "v\r\nbaton: all is well"), 7, 3);
        assertThat(change(Optional.of(leader)))
                .isEqualTo(
                        "04:04:05.006  a\\u001b[31m\\u202e leads, term 7, at b\\u0000, priority 3, k; =v; baton: all is well");
    }

    @Test
    void text_foreignWithoutAnId_isForeign() {
        assertThat(change(Optional.of(new Leader("", "", Map.of(), 7, 0)))).endsWith("  (foreign) leads, term 7");
    }

    @Test
    void text_endless_isCut() {
        var leader = new Leader("x".repeat(100_000), "", Map.of(), 7, 0);
        assertThat(change(Optional.of(leader))).hasSizeLessThan(1_000);
    }

    @Test
    void json_quotesAndControls_areEscaped() {
        var leader = new Leader("\"\\\u0001", "", Map.of("b", "2", "a", ""), 7, 0);
        assertThat(LeaderLine.json(View.NOTHING.leading(Optional.of(leader)), NOW))
                .isEqualTo(
                        "{\"id\":\"\\\"\\\\\\u0001\",\"address\":null,\"term\":7,\"priority\":0,"
                                + "\"metadata\":{\"a\":\"\",\"b\":\"2\"},\"state\":null,\"paused\":null,\"seen\":\"2026-01-02T03:04:05.006Z\"}");
    }

    @Test
    void text_paused_saysByWhomSinceWhenAndWhy() {
        var pause = new Pause("ops@b\u001b", NOW, "racks\nmoved", Optional.of("a"));
        View view = View.NOTHING.leading(Optional.empty()).paused(Optional.of(pause));
        assertThat(LeaderLine.text("x", view).lines())
                .containsExactly(
                        "'x': nobody leads",
                        "'x': paused by ops@b\\u001b since 2026-01-02T03:04:05.006Z: racks; moved");
        assertThat(LeaderLine.json(view, NOW))
                .contains("\"paused\":{\"by\":\"ops@b\\u001b\",\"since\":\"2026-01-02T03:04:05.006Z\","
                        + "\"why\":\"racks\\u000amoved\",\"leader\":\"a\"}");
    }

    @Test
    void change_pauseBeginsAndEnds_isOneLineEach() {
        var pause = new Pause("ops", NOW, "", Optional.empty());
        View before = View.NOTHING.leading(Optional.empty()).paused(Optional.empty());
        View paused = before.paused(Optional.of(pause));
        assertThat(LeaderLine.change(before, paused, NOW, ZONE))
                .isEqualTo("04:04:05.006  paused by ops since 2026-01-02T03:04:05.006Z");
        assertThat(LeaderLine.change(paused, before, NOW, ZONE)).isEqualTo("04:04:05.006  resumed");
        assertThat(LeaderLine.change(View.NOTHING, paused, NOW, ZONE).lines()).hasSize(2);
    }

    private static String change(Optional<Leader> leader) {
        return LeaderLine.change(View.NOTHING, View.NOTHING.leading(leader), NOW, ZONE);
    }

    @Test
    void text_stateOfTheLeader_isShownWithItsTimeUnlessOfAnotherTerm() {
        var leader = new Leader("b", "", Map.of(), 7, 0);
        View view = View.NOTHING.leading(Optional.of(leader)).paused(Optional.empty());
        assertThat(LeaderLine.text("x", view.withState(state(7, LeaderState.Phase.FENCING, "a\n"))))
                .isEqualTo("'x': b leads, term 7; fencing a as of 2026-01-02T03:04:05.006Z");
        assertThat(LeaderLine.text("x", view.withState(state(7, LeaderState.Phase.ACTIVE, ""))))
                .isEqualTo("'x': b leads, term 7; active as of 2026-01-02T03:04:05.006Z");
        assertThat(LeaderLine.text("x", view.withState(state(7, LeaderState.Phase.FAILED, "no disk"))))
                .isEqualTo("'x': b leads, term 7; failed: no disk as of 2026-01-02T03:04:05.006Z");
        assertThat(LeaderLine.text("x", view.withState(state(6, LeaderState.Phase.ACTIVE, ""))))
                .isEqualTo("'x': b leads, term 7");
        assertThat(LeaderLine.json(view.withState(state(7, LeaderState.Phase.FENCING, "a")), NOW))
                .contains("\"state\":{\"phase\":\"fencing\",\"about\":\"a\",\"asOf\":\"2026-01-02T03:04:05.006Z\"}");
        assertThat(LeaderLine.json(view.withState(state(6, LeaderState.Phase.ACTIVE, "")), NOW))
                .contains("\"state\":null");
    }

    @Test
    void change_leaderHasComeFurther_isALine() {
        View view = View.NOTHING.leading(Optional.of(new Leader("b", "", Map.of(), 7, 0)));
        View active = view.withState(state(7, LeaderState.Phase.ACTIVE, ""));
        assertThat(LeaderLine.change(view, active, NOW, ZONE))
                .isEqualTo("04:04:05.006  b leads, term 7; active as of 2026-01-02T03:04:05.006Z");
        assertThat(LeaderLine.change(active, active, NOW, ZONE)).isEmpty();
    }

    @Test
    void looksLike_stateOfAnotherTerm_isTheSame() {
        View view = View.NOTHING
                .leading(Optional.of(new Leader("b", "", Map.of(), 7, 0)))
                .paused(Optional.empty())
                .withState(Optional.empty());
        View before = view.withState(state(6, LeaderState.Phase.ACTIVE, ""));
        assertThat(before.looksLike(view)).isTrue();
        assertThat(LeaderLine.change(view, before, NOW, ZONE)).isEmpty();

        assertThat(view.withState(state(7, LeaderState.Phase.ACTIVE, "")).looksLike(view))
                .isFalse();
        assertThat(view.leading(Optional.empty()).looksLike(view)).isFalse();
        assertThat(view.paused(Optional.of(new Pause("ops", NOW, "", Optional.empty())))
                        .looksLike(view))
                .isFalse();
        assertThat(view.looksLike(View.NOTHING)).isFalse();
    }

    private static Optional<LeaderState> state(long term, LeaderState.Phase phase, String about) {
        return Optional.of(new LeaderState(term, phase, about, NOW));
    }
}
