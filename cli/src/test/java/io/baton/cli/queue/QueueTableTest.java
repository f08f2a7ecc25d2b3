package io.baton.cli.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.QueueEntry;
import io.baton.spi.Claim;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class QueueTableTest {

    private static final Instant NOW = Instant.parse("2026-03-04T12:00:00Z");

    private final QueueTable table = new QueueTable(NOW, ZoneId.of("Europe/Berlin"));

    @Test
    void lines_holderAndWaiters_areAligned() {
        assertThat(table.lines(
                        "orders",
                        List.of(
                                entry(true, 697, "baton lock", "web1", 4711, "2026-03-04T11:57:47Z"),
                                entry(
                                        false,
                                        1_000_698,
                                        "\u65e5\u672c",
                                        "web-with-a-long-name",
                                        12,
                                        "2026-03-01T23:00:00Z"))))
                .containsExactly(
                        "'orders': one holds it, 1 waits",
                        "",
                        "     STATE  TOKEN    CLIENT      HOST                  PID   SINCE",
                        "  1  holds  697      baton lock  web1                  4711  2m13s (12:57:47)",
                        "  2  waits  1000698  \u65e5\u672c        web-with-a-long-name  12    2d13h (2026-03-02 00:00:00)");
    }

    @Test
    void lines_clientThatSaysNothing_isForeignAndHasDashes() {
        assertThat(table.lines("x", List.of(new QueueEntry(true, 5, "", "", 0, Optional.empty(), Claim.EXCLUSIVE))))
                .last()
                .isEqualTo("  1  holds  5      (foreign)  -     -    -");
    }

    @Test
    void lines_hostilePayload_reachesNoTerminal() {
        var hostile = new QueueEntry(
                true,
                5,
                "\u001b[2J\u202eevil",
                "h\u0007".repeat(100),
                -3,
                Optional.of(Instant.ofEpochMilli(Long.MAX_VALUE)),
                Claim.EXCLUSIVE);
        assertThat(table.lines("\u001b]0;name\u0007", List.of(hostile)))
                .allSatisfy(line -> assertThat(line).matches("\\p{Print}*").hasSizeLessThan(250));
    }

    @Test
    void lines_clockAhead_makesNoNegativeAge() {
        assertThat(table.lines("x", List.of(entry(true, 5, "c", "h", 1, "2026-03-04T12:00:30Z"))))
                .last()
                .asString()
                .endsWith("0s (13:00:30)");
    }

    @Test
    void lines_nobody_saysSo() {
        assertThat(table.lines("x", List.of())).containsExactly("'x': nobody holds it, nobody waits");
    }

    private static QueueEntry entry(boolean holder, long token, String client, String host, long pid, String since) {
        return new QueueEntry(holder, token, client, host, pid, Optional.of(Instant.parse(since)), Claim.EXCLUSIVE);
    }
}
