package io.baton.config.internal.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.Item;
import io.baton.RecordKey;
import io.baton.Revision;
import io.baton.config.ConfigEntry;
import io.baton.config.ConfigException;
import io.baton.config.ConfigPart;
import io.baton.config.KeyChange;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** A change's place in the history: read as it was written, and what it says. */
class HistoryRecordTest {

    private static final HistoryRecord RECORD = new HistoryRecord(
            "i1",
            1_700_000_000_123L,
            "me",
            "why",
            new HistoryRecord.Part("p1", 2, 3, "abc"),
            new TreeMap<>(Map.of(
                    "a", new HistoryRecord.Key("1", "2", false),
                    "b", new HistoryRecord.Key(null, "2", true),
                    "c", new HistoryRecord.Key("1", null, false))));

    private record Written(long order) implements Revision {}

    private static Item item(long number, byte[] value) {
        return new Item(HistoryRecord.key("config", number), value, new Written(70));
    }

    private static Item item(long number, String json) {
        return item(number, json.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void key_numbers_areInOrderAsTexts() {
        assertThat(HistoryRecord.key("config", 12)).isEqualTo(new RecordKey("config.history", "0000000000000012"));
        assertThat(HistoryRecord.number(HistoryRecord.key("config", 12))).contains(12L);
    }

    @Test
    void number_ofSomethingElse_isNone() {
        for (String name :
                List.of("12", "00000000000000012", "000000000000012x", "/000000000000012", ":00000000000001")) {
            assertThat(HistoryRecord.number(new RecordKey("config.history", name)))
                    .isEmpty();
        }
        assertThat(HistoryRecord.number(new RecordKey("config.history", "000000000000012:")))
                .isEmpty();
        assertThat(HistoryRecord.number(new RecordKey("config.history", "9000000000000000")))
                .contains(9_000_000_000_000_000L);
    }

    @Test
    void of_whatWasEncoded_isTheSame() {
        assertThat(HistoryRecord.of(item(5, RECORD.encode()))).isEqualTo(RECORD);
        assertThatThrownBy(() -> HistoryRecord.of(item(5, "?"))).isInstanceOf(ConfigException.class);
    }

    @Test
    void encode_record_hasNothingThatIsNotItsOwn() {
        String json = new String(RECORD.encode(), StandardCharsets.UTF_8);

        assertThat(json).doesNotContain("changed").doesNotContain("last");
    }

    @Test
    void entry_forUsers_saysTheSame() {
        SpaceHead head = SpaceHead.NONE.next(1).secrets(new TreeSet<>(List.of("c")));

        assertThat(HistoryRecord.entry(item(5, RECORD.encode()), head))
                .isEqualTo(new ConfigEntry(
                        5,
                        70,
                        Instant.ofEpochMilli(1_700_000_000_123L),
                        "me",
                        "why",
                        List.of(
                                new KeyChange("a", Optional.of("1"), Optional.of("2"), false),
                                new KeyChange("b", Optional.empty(), Optional.of("2"), true),
                                new KeyChange("c", Optional.of("1"), Optional.empty(), true)),
                        Optional.of(new ConfigPart("p1", 2, 3))));
    }

    @Test
    void entry_markedWhenALaterChangeWasMade_isSecretUntilThen() {
        SpaceHead head = SpaceHead.NONE
                .next(1)
                .next(1)
                .secrets(new TreeSet<>(List.of("a")))
                .secrets(new TreeSet<>());

        assertThat(HistoryRecord.entry(item(2, RECORD.encode()), head)
                        .changes()
                        .get(0)
                        .secret())
                .isTrue();
        assertThat(HistoryRecord.entry(item(3, RECORD.encode()), head)
                        .changes()
                        .get(0)
                        .secret())
                .isFalse();
    }

    @Test
    void entry_writtenByAnother_lacksWhatItDoesNotSay() {
        assertThat(HistoryRecord.entry(item(5, "{\"time\":1}"), SpaceHead.NONE))
                .isEqualTo(new ConfigEntry(5, 70, Instant.ofEpochMilli(1), "", "", List.of(), Optional.empty()));
        assertThat(HistoryRecord.entry(item(5, "{\"part\":{\"number\":1,\"total\":2}}"), SpaceHead.NONE)
                        .part())
                .contains(new ConfigPart("", 1, 2));
        Item nowhere =
                new Item(new RecordKey("config.history", "x"), "{}".getBytes(StandardCharsets.UTF_8), new Written(7));
        assertThat(HistoryRecord.entry(nowhere, SpaceHead.NONE).change()).isZero();
    }

    @Test
    void changed_textIsAnother_notIfOnlyTheMarkIs() {
        assertThat(new HistoryRecord.Key("1", "2", false).changed()).isTrue();
        assertThat(new HistoryRecord.Key(null, "2", false).changed()).isTrue();
        assertThat(new HistoryRecord.Key("1", null, false).changed()).isTrue();
        assertThat(new HistoryRecord.Key("1", "1", true).changed()).isFalse();
        assertThat(new HistoryRecord.Key(null, null, true).changed()).isFalse();
    }

    @Test
    void change_markedBeforeOrNow_isSecret() {
        assertThat(new HistoryRecord.Key("1", "2", false).change("a", false).secret())
                .isFalse();
        assertThat(new HistoryRecord.Key("1", "2", true).change("a", false).secret())
                .isTrue();
        assertThat(new HistoryRecord.Key("1", "2", false).change("a", true).secret())
                .isTrue();
    }

    @Test
    void last_ofTheParts_isTheOneOfTheHighestNumber() {
        assertThat(new HistoryRecord.Part("p", 2, 3, "x").last()).isFalse();
        assertThat(new HistoryRecord.Part("p", 3, 3, null).last()).isTrue();
        assertThat(new HistoryRecord.Part("p", 4, 3, null).last()).isTrue();
    }

    @Test
    void all_noKeys_isEmpty() {
        assertThat(RECORD.all()).containsOnlyKeys("a", "b", "c");
        assertThat(new HistoryRecord(null, 0, null, null, null, null).all()).isEmpty();
    }
}
