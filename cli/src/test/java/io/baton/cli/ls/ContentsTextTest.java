package io.baton.cli.ls;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.QueueEntry;
import io.baton.cli.ls.StoreContents.Configuration;
import io.baton.cli.ls.StoreContents.Election;
import io.baton.cli.ls.StoreContents.Kind;
import io.baton.cli.ls.StoreContents.Lock;
import io.baton.cli.ls.StoreContents.ReadWriteLock;
import io.baton.cli.ls.StoreContents.Semaphore;
import io.baton.election.Leader;
import io.baton.spi.Claim;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ContentsTextTest {

    private static final StoreContents ALL = new StoreContents(
            List.of(
                    new Lock(
                            "nightly",
                            Optional.of(new QueueEntry(
                                    true,
                                    17,
                                    "batch",
                                    "h1",
                                    4711,
                                    Optional.of(Instant.parse("2026-01-02T03:04:05Z")),
                                    Claim.EXCLUSIVE)),
                            3),
                    new Lock("odd", Optional.empty(), 1)),
            List.of(
                    new ReadWriteLock(
                            "prices",
                            Optional.of(new QueueEntry(true, 8, "web", "h2", 9, Optional.empty(), Claim.SHARED)),
                            4),
                    new ReadWriteLock("old", Optional.empty(), 1)),
            List.of(Semaphore.of("uploads", 2, 6), Semaphore.of("free", 0, 1)),
            List.of(
                    new Election("books", Optional.of(new Leader("node-1", "h1:80", Map.of(), 21, 0)), 2, 3),
                    new Election("idle", Optional.empty(), 0, 1)),
            List.of(new Configuration("config", 12, 4, 2), new Configuration("plain", 0, 1, 0)),
            Map.of());

    @Test
    void lines_ofEachKind_areATable() {
        assertThat(ContentsText.lines("zk://h/app", ALL))
                .containsExactly(
                        "  LOCK     HOLDER           WAITING  TOKEN",
                        "  nightly  batch@h1 (4711)  2        17",
                        "  odd      (foreign)        0        -",
                        "",
                        "  READ/WRITE LOCK  HOLDER      CLAIM   CONTENDERS  TOKEN",
                        "  prices           web@h2 (9)  shared  4           8",
                        "  old              (foreign)   -       1           -",
                        "",
                        "  SEMAPHORE  HOLDERS  WAITING",
                        "  uploads    5        2",
                        "  free       1        0",
                        "",
                        "  ELECTION  LEADER           CANDIDATES  NODES  TERM",
                        "  books     node-1 at h1:80  2           3      21",
                        "  idle      -                0           1      -",
                        "",
                        "  CONFIGURATION  CHANGE  KEYS  INSTANCES",
                        "  config         12      4     2",
                        "  plain          -       1     0");
    }

    @Test
    void lines_nothing_saySo() {
        assertThat(ContentsText.lines("zk://h/app", contents(List.of(), Map.of())))
                .containsExactly("nothing below zk://h/app");
    }

    @Test
    void lines_more_sayHowToGoOn() {
        var cut = contents(ALL.locks(), Map.of(Kind.locks, "quiet"));
        assertThat(ContentsText.lines("zk://h/app", cut))
                .last()
                .isEqualTo("  ... and more locks: baton ls locks --after 'quiet', or with a larger --limit");
    }

    @Test
    void lines_hostileTexts_areShownAsTheyAre() {
        var hostile = contents(
                List.of(new Lock(
                        "\u001b[31mred",
                        Optional.of(new QueueEntry(true, 1, "a\u202eb", "\n", 0, Optional.empty(), Claim.EXCLUSIVE)),
                        1)),
                Map.of());
        assertThat(ContentsText.lines("zk://h/app", hostile))
                .allSatisfy(line -> assertThat(line).matches("\\p{Print}*"));
    }

    @Test
    void json_ofEachKind_isOneObject() {
        assertThat(ContentsJson.of(ALL))
                .isEqualTo("{\"locks\":[{\"name\":\"nightly\",\"holder\":{\"token\":17,\"client\":\"batch\","
                        + "\"host\":\"h1\",\"pid\":4711,\"since\":\"2026-01-02T03:04:05Z\"},\"waiting\":2},"
                        + "{\"name\":\"odd\",\"holder\":null,\"waiting\":0}],"
                        + "\"rwlocks\":[{\"name\":\"prices\",\"holder\":{\"token\":8,\"client\":\"web\","
                        + "\"host\":\"h2\",\"pid\":9,\"since\":null,\"claim\":\"shared\"},\"contenders\":4},"
                        + "{\"name\":\"old\",\"holder\":null,\"contenders\":1}],"
                        + "\"semaphores\":[{\"name\":\"uploads\",\"holders\":5,\"waiting\":2},"
                        + "{\"name\":\"free\",\"holders\":1,\"waiting\":0}],"
                        + "\"elections\":[{\"name\":\"books\",\"leader\":{\"term\":21,\"id\":\"node-1\","
                        + "\"address\":\"h1:80\"},\"candidates\":2,\"nodes\":3},"
                        + "{\"name\":\"idle\",\"leader\":null,\"candidates\":0,\"nodes\":1}],"
                        + "\"configurations\":[{\"space\":\"config\",\"change\":12,\"keys\":4,\"instances\":2},"
                        + "{\"space\":\"plain\",\"change\":null,\"keys\":1,\"instances\":0}],\"more\":{}}");
    }

    @Test
    void json_more_saysHowToGoOn() {
        var cut = contents(List.of(), Map.of(Kind.locks, "a\"b"));
        assertThat(ContentsJson.of(cut)).endsWith("\"more\":{\"locks\":\"a\\\"b\"}}");
    }

    private static StoreContents contents(List<Lock> locks, Map<Kind, String> more) {
        return new StoreContents(locks, List.of(), List.of(), List.of(), List.of(), more);
    }
}
