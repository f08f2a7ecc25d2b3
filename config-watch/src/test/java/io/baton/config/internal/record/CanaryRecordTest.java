package io.baton.config.internal.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.Item;
import io.baton.RecordKey;
import io.baton.Revision;
import io.baton.config.Bounds;
import io.baton.config.Canary;
import io.baton.config.ConfigException;
import io.baton.config.ConfigValue;
import io.baton.config.KeyChange;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The record of a canary: read as it was written, and what it says. */
class CanaryRecordTest {

    private static final CanaryRecord CANARY = new CanaryRecord(
            7,
            "c1",
            "me",
            "why",
            Instant.ofEpochMilli(1_700_000_000_123L),
            Duration.ofMinutes(5),
            new TreeMap<>(Map.of("zone", "east")),
            30,
            new TreeMap<>(Map.of("p1", "web-1")),
            4,
            "",
            new TreeMap<>(Map.of(
                    "a", new CanaryRecord.Key("1", "2", 3, false),
                    "b", new CanaryRecord.Key("1", null, 4, true))));

    private record Written(long order) implements Revision {}

    private static Item item(byte[] value) {
        return new Item(new RecordKey("config", CanaryRecord.KEY), value, new Written(7));
    }

    private static CanaryRecord read(String json) {
        return CanaryRecord.of(item(json.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void of_whatWasEncoded_isTheSame() {
        assertThat(CanaryRecord.of(item(CANARY.encode()))).isEqualTo(CANARY);
        assertThat(CanaryRecord.of(item(CANARY.held("no").encode()))).isEqualTo(CANARY.held("no"));
    }

    @Test
    void of_earlierVersions_lacksWhatTheyDidNotHave() {
        CanaryRecord canary =
                read("{\"id\":\"c1\",\"author\":\"me\",\"labels\":{},\"percent\":5,\"keys\":{},\"later\":1}");

        assertThat(canary.comment()).isEmpty();
        assertThat(canary.held()).isEmpty();
        assertThat(canary.chosen()).isNull();
        assertThat(canary.lasts()).isZero();
        assertThat(canary.percent()).isEqualTo(5);
    }

    @Test
    void of_somethingElse_isRefused() {
        for (String foreign : List.of(
                "{\"author\":\"me\",\"labels\":{},\"keys\":{}}",
                "{\"id\":\"c1\",\"labels\":{},\"keys\":{}}",
                "{\"id\":\"c1\",\"author\":\"me\",\"keys\":{}}",
                "{\"id\":\"c1\",\"author\":\"me\",\"labels\":{}}",
                "text")) {
            assertThatThrownBy(() -> read(foreign))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("another program");
        }
    }

    @Test
    void of_lastsThatCannotBe_isBounded() {
        String canary = "{\"id\":\"c1\",\"author\":\"me\",\"labels\":{},\"percent\":5,\"keys\":{},\"lasts\":%d}";
        assertThat(read(canary.formatted(-1)).lasts()).isZero();
        assertThat(read(canary.formatted(1)).lasts()).isEqualTo(Duration.ofMillis(1));
        assertThat(read(canary.formatted(Long.MAX_VALUE)).lasts()).isEqualTo(CanaryRecord.LONGEST);
    }

    @Test
    void chooses_processesAreNamed_nothingElseCounts() {
        assertThat(CANARY.chooses("p1", "other", Map.of())).isTrue();
        assertThat(CANARY.chooses("p2", "web-1", Map.of("zone", "east"))).isFalse();
    }

    @Test
    void chooses_noneIsNamed_byLabelsAndShare() {
        CanaryRecord all =
                read("{\"id\":\"c1\",\"author\":\"me\",\"labels\":{\"zone\":\"east\"},\"percent\":100,\"keys\":{}}");
        CanaryRecord none = read("{\"id\":\"c1\",\"author\":\"me\",\"labels\":{},\"percent\":0,\"keys\":{}}");

        assertThat(all.chooses("p", "web-1", Map.of("zone", "east", "role", "web")))
                .isTrue();
        assertThat(all.chooses("p", "web-1", Map.of("zone", "west"))).isFalse();
        assertThat(none.chooses("p", "web-1", Map.of())).isFalse();
    }

    @Test
    void chooses_noneIsNamed_shareOfAnInstanceIsTheSameInAllVersions() {
        Map<String, Integer> shares = Map.of("web-1", 17, "web-2", 46, "web-3", 39, "db-1", 62);

        shares.forEach((instance, share) -> {
            assertThat(ofPercent(share).chooses("p", instance, Map.of())).isFalse();
            assertThat(ofPercent(share + 1).chooses("p", instance, Map.of())).isTrue();
        });
    }

    private static CanaryRecord ofPercent(int percent) {
        return read("{\"id\":\"c1\",\"author\":\"me\",\"labels\":{},\"percent\":%d,\"keys\":{}}".formatted(percent));
    }

    @Test
    void overdue_afterItsEndOnly() {
        Instant end = CANARY.since().plus(CANARY.lasts());
        assertThat(CANARY.overdue(end)).isFalse();
        assertThat(CANARY.overdue(end.plusMillis(1))).isTrue();
        CanaryRecord endless = read("{\"id\":\"c1\",\"author\":\"me\",\"labels\":{},\"percent\":5,\"keys\":{}}");
        assertThat(endless.overdue(end)).isFalse();
    }

    @Test
    void over_values_areReplacedAddedAndTakenAway() {
        CanaryRecord adds = new CanaryRecord(
                7,
                "c1",
                "me",
                "",
                Instant.EPOCH,
                Duration.ZERO,
                new TreeMap<>(),
                100,
                null,
                0,
                "",
                new TreeMap<>(Map.of(
                        "a", new CanaryRecord.Key("1", "2", 3, false),
                        "b", new CanaryRecord.Key("1", null, 4, false),
                        "c", new CanaryRecord.Key(null, "3", 0, true))));
        assertThat(adds.overlay(Bounds.values("a", "1", "b", "1", "z", "1")))
                .containsExactlyEntriesOf(new TreeMap<>(Map.of(
                        "a", new ConfigValue("a", "2", 7, false),
                        "c", new ConfigValue("c", "3", 7, true),
                        "z", new ConfigValue("z", "1", 1, false))));
    }

    @Test
    void mayBeHeld_thisOneAsLongAsItIsNot() {
        assertThat(CANARY.mayBeHeld("c1")).isTrue();
        assertThat(CANARY.mayBeHeld("c2")).isFalse();
        assertThat(CANARY.held("no").mayBeHeld("c1")).isFalse();
    }

    @Test
    void next_onlyThatIsAnother() {
        assertThat(CANARY.askingAgain().asked()).isEqualTo(5);
        assertThat(CANARY.askingAgain().id()).isEqualTo("c1");
        assertThat(CANARY.amongThese(new TreeMap<>(Map.of("p2", "web-2"))).chosen())
                .containsOnly(Map.entry("p2", "web-2"));
        assertThat(CANARY.held("no").keys()).isEqualTo(CANARY.keys());
    }

    @Test
    void shown_toUsers_saysTheSame() {
        assertThat(CANARY.shown())
                .isEqualTo(new Canary(
                        "c1",
                        "me",
                        CANARY.since(),
                        CANARY.lasts(),
                        Map.of("zone", "east"),
                        30,
                        Map.of("p1", "web-1"),
                        4,
                        "",
                        List.of(
                                new KeyChange("a", Optional.of("1"), Optional.of("2"), false),
                                new KeyChange("b", Optional.of("1"), Optional.empty(), true))));
        assertThat(ofPercent(5).shown().chosen()).isEmpty();
    }
}
