package io.baton.cli.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.LockDelays;
import io.baton.PendingRelease;
import io.baton.QueueEntry;
import io.baton.SemaphoreView;
import io.baton.spi.Claim;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class QueueTableTest {

    private static final Instant NOW = Instant.parse("2026-03-04T12:00:00Z");

    private final QueueTable table = new QueueTable(NOW, ZoneId.of("Europe/Berlin"));

    @Test
    void lock_holderAndWaiters_areAligned() {
        assertThat(table.lock(
                        "orders",
                        List.of(
                                entry(true, 697, "baton lock", "web1", 4711, "2026-03-04T11:57:47Z"),
                                entry(
                                        false,
                                        1_000_698,
                                        "\u65e5\u672c",
                                        "web-with-a-long-name",
                                        12,
                                        "2026-03-01T23:00:00Z")),
                        Optional.empty(),
                        Optional.empty()))
                .containsExactly(
                        "'orders': one holds it, 1 waits",
                        "",
                        "     STATE  TOKEN    CLIENT      HOST                  PID   SINCE",
                        "  1  holds  697      baton lock  web1                  4711  2m13s (12:57:47)",
                        "  2  waits  1000698  \u65e5\u672c        web-with-a-long-name  12    2d13h (2026-03-02 00:00:00)");
    }

    @Test
    void lock_options_standBelowTheTitle() {
        var delays = new LockDelays(
                Duration.ofMinutes(50), Duration.ofSeconds(30), Duration.ofMillis(2_951_001), Duration.ZERO);
        assertThat(table.lock("orders", List.of(), Optional.of(delays), Optional.empty()))
                .containsExactly(
                        "'orders': nobody holds it, nobody waits",
                        "--hold-at-least 3000s, --delay-after-loss 30s, it stays blocked for another 49m12s");
        var held = new LockDelays(Duration.ZERO, Duration.ofSeconds(30), Duration.ZERO, Duration.ZERO);
        assertThat(table.lock("orders", List.of(entry(true, 5, Claim.EXCLUSIVE)), Optional.of(held), Optional.empty()))
                .startsWith("'orders': one holds it, nobody waits", "--delay-after-loss 30s", "");
    }

    @Test
    void lock_askedToBeReleased_saysByWhomSinceWhenAndWhy() {
        var asked = new PendingRelease(5, "ops@bastion", "noon", Instant.parse("2026-03-04T11:57:47Z"));
        String request = "ops@bastion asks for its release, since 2m13s (12:57:47): noon";
        var delays = new LockDelays(Duration.ZERO, Duration.ofSeconds(30), Duration.ZERO, Duration.ZERO);
        assertThat(table.lock("x", List.of(entry(true, 5, Claim.EXCLUSIVE)), Optional.of(delays), Optional.of(asked)))
                .startsWith("'x': one holds it, nobody waits", "--delay-after-loss 30s", request, "");
        assertThat(table.readWriteLock("x", List.of(entry(true, 5, Claim.SHARED)), Optional.of(asked)))
                .startsWith("'x': one holds it, nobody waits", request, "");
    }

    @Test
    void readWriteLock_readersAndAWriter_showWhoHoldsTogether() {
        assertThat(table.readWriteLock(
                        "prices",
                        List.of(
                                entry(true, 5, Claim.SHARED),
                                entry(true, 6, Claim.SHARED),
                                entry(false, 7, Claim.EXCLUSIVE)),
                        Optional.empty()))
                .containsExactly(
                        "'prices': 2 hold it, 1 waits",
                        "",
                        "     STATE  CLAIM      TOKEN  CLIENT      HOST  PID  SINCE",
                        "  1  holds  shared     5      baton lock  web1  7    0s (13:00:00)",
                        "  2  holds  shared     6      baton lock  web1  7    0s (13:00:00)",
                        "  3  waits  exclusive  7      baton lock  web1  7    0s (13:00:00)");
    }

    @Test
    void semaphore_holdersAndWaiters_areAfterTheSum() {
        var view = new SemaphoreView(
                5,
                3,
                List.of(entry(true, 5, Claim.permits(3))),
                List.of(entry(false, 6, Claim.permits(4)), entry(false, 7, Claim.EXCLUSIVE)));
        assertThat(table.semaphore("uploads", view))
                .containsExactly(
                        "'uploads': 3 of 5 permits are out, one holds it, 2 wait",
                        "",
                        "     STATE  PERMITS  TOKEN  CLIENT      HOST  PID  SINCE",
                        "  1  holds  3        5      baton lock  web1  7    0s (13:00:00)",
                        "  2  waits  4        6      baton lock  web1  7    0s (13:00:00)",
                        "  3  waits  -        7      baton lock  web1  7    0s (13:00:00)");
    }

    @Test
    void semaphore_nobody_saysSo() {
        assertThat(table.semaphore("uploads", new SemaphoreView(5, 0, List.of(), List.of())))
                .containsExactly("'uploads': 0 of 5 permits are out, nobody holds it, nobody waits");
        assertThat(table.semaphore("x", new SemaphoreView(0, 0, List.of(), List.of())))
                .containsExactly("'x': no size yet, as nobody has asked for permits");
    }

    @Test
    void lock_clientThatSaysNothing_isForeignAndHasDashes() {
        assertThat(table.lock(
                        "x",
                        List.of(new QueueEntry(true, 5, "", "", 0, Optional.empty(), Claim.EXCLUSIVE)),
                        Optional.empty(),
                        Optional.empty()))
                .last()
                .isEqualTo("  1  holds  5      (foreign)  -     -    -");
    }

    @Test
    void lock_hostilePayload_reachesNoTerminal() {
        var hostile = new QueueEntry(
                true,
                5,
                "\u001b[2J\u202eevil",
                "h\u0007".repeat(100),
                -3,
                Optional.of(Instant.ofEpochMilli(Long.MAX_VALUE)),
                Claim.EXCLUSIVE);
        var hostileRequest = new PendingRelease(5, "\u001b[2J", "r\u0007".repeat(1_000), Instant.ofEpochMilli(0));
        assertThat(table.lock("\u001b]0;name\u0007", List.of(hostile), Optional.empty(), Optional.of(hostileRequest)))
                .allSatisfy(line -> assertThat(line).matches("\\p{Print}*").hasSizeLessThan(610));
    }

    @Test
    void lock_clockAhead_makesNoNegativeAge() {
        assertThat(table.lock(
                        "x",
                        List.of(entry(true, 5, "c", "h", 1, "2026-03-04T12:00:30Z")),
                        Optional.empty(),
                        Optional.empty()))
                .last()
                .asString()
                .endsWith("0s (13:00:30)");
    }

    @Test
    void lock_nobody_saysSo() {
        assertThat(table.lock("x", List.of(), Optional.empty(), Optional.empty()))
                .containsExactly("'x': nobody holds it, nobody waits");
    }

    private static QueueEntry entry(boolean holder, long token, String client, String host, long pid, String since) {
        return new QueueEntry(holder, token, client, host, pid, Optional.of(Instant.parse(since)), Claim.EXCLUSIVE);
    }

    private static QueueEntry entry(boolean holder, long token, Claim claim) {
        return new QueueEntry(holder, token, "baton lock", "web1", 7, Optional.of(NOW), claim);
    }
}
