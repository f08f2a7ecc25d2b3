package io.baton.cli.leader;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.election.Leader;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ShownTest {

    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05.006Z");
    private static final ZoneId ZONE = ZoneId.of("Europe/Berlin");

    @Test
    void text_changeSeen_hasTheLocalTime() {
        assertThat(Shown.text(Optional.empty(), NOW, ZONE)).isEqualTo("04:04:05.006  nobody leads");
    }

    @Test
    void text_idThatDoesMoreThanBeingSeen_isShown() {
        var leader = new Leader("a\u001b[31m\u202e", "b\u0000", Map.of("k\n", "v\r\nbaton: all is well"), 7, 3);
        assertThat(Shown.text(Optional.of(leader), NOW, ZONE))
                .isEqualTo(
                        "04:04:05.006  a\\u001b[31m\\u202e leads, term 7, at b\\u0000, priority 3, k; =v; baton: all is well");
    }

    @Test
    void text_foreignWithoutAnId_isForeign() {
        assertThat(Shown.text(Optional.of(new Leader("", "", Map.of(), 7, 0)), NOW, ZONE))
                .endsWith("  (foreign) leads, term 7");
    }

    @Test
    void text_endless_isCut() {
        var leader = new Leader("x".repeat(100_000), "", Map.of(), 7, 0);
        assertThat(Shown.text(Optional.of(leader), NOW, ZONE)).hasSizeLessThan(1_000);
    }

    @Test
    void json_quotesAndControls_areEscaped() {
        var leader = new Leader("\"\\\u0001", "", Map.of("b", "2", "a", ""), 7, 0);
        assertThat(Shown.json(Optional.of(leader), NOW))
                .isEqualTo("{\"id\":\"\\\"\\\\\\u0001\",\"address\":null,\"term\":7,\"priority\":0,"
                        + "\"metadata\":{\"a\":\"\",\"b\":\"2\"},\"seen\":\"2026-01-02T03:04:05.006Z\"}");
    }
}
