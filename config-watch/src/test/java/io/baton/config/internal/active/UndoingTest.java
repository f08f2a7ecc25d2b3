package io.baton.config.internal.active;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.Item;
import io.baton.Position;
import io.baton.Revision;
import io.baton.config.ConfigSource;
import io.baton.config.ConfigValue;
import io.baton.config.internal.follow.StoreState;
import io.baton.config.internal.record.FrozenMap;
import io.baton.config.internal.record.HistoryRecord;
import io.baton.config.internal.record.SpaceHead;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The states before the present one, as the history has them. Change n is of revision 10n. */
class UndoingTest {

    private final SortedMap<Long, Item> history = new TreeMap<>();
    private final List<String> reads = new ArrayList<>();
    private SortedSet<String> marked = SpaceHead.NONE.secrets();
    private long last;

    private void change(HistoryRecord.@Nullable Part part, @Nullable String... keysBeforeNow) {
        var keys = new TreeMap<String, HistoryRecord.Key>();
        for (int i = 0; i < keysBeforeNow.length; i += 3) {
            keys.put(
                    String.valueOf(keysBeforeNow[i]),
                    new HistoryRecord.Key(keysBeforeNow[i + 1], keysBeforeNow[i + 2], false));
        }
        change(part, keys);
    }

    private void changeOfSecret(String key, String before, String now) {
        change(null, new TreeMap<>(Map.of(key, new HistoryRecord.Key(before, now, true))));
    }

    private void change(HistoryRecord.@Nullable Part part, SortedMap<String, HistoryRecord.Key> keys) {
        last++;
        byte[] record = new HistoryRecord("id" + last, 0, "me", "", part, keys).encode();
        history.put(last, new Item(HistoryRecord.key("config", last), record, new Written(last * 10)));
    }

    private record Written(long order) implements Revision {}

    private Undoing undoing(long oldest, String prefix, String... keysAndTexts) {
        var values = new TreeMap<String, ConfigValue>();
        for (int i = 0; i < keysAndTexts.length; i += 2) {
            values.put(keysAndTexts[i], new ConfigValue(keysAndTexts[i], keysAndTexts[i + 1], last * 10, false));
        }
        SpaceHead none = SpaceHead.NONE;
        var head = new SpaceHead(last, oldest, none.retain(), none.retainBytes(), none.kept(), marked, none.formerly());
        StoreState known = StoreState.of(new Position("h", last * 10 + 5), FrozenMap.copyOf(values), head);
        return new Undoing(known, new StoreState.Scope(prefix, key -> key.equals("pin")), (from, to) -> {
            reads.add(from + "-" + to);
            return LongStream.rangeClosed(from, to)
                    .mapToObj(history::get)
                    .filter(java.util.Objects::nonNull)
                    .toList();
        });
    }

    private static List<String> all(Undoing undoing) {
        List<String> states = new ArrayList<>();
        undoing.forEachRemaining(state -> {
            Map<String, String> texts = new TreeMap<>();
            state.values().forEach((key, value) -> texts.put(key, value.text()));
            states.add(state.change() + " @" + state.at().revision() + " " + texts);
        });
        return states;
    }

    @Test
    void states_changesOnly_areThoseBeforeEach() {
        change(null, "a", null, "1");
        change(null, "a", "1", "2", "b", null, "x");
        change(null, "b", "x", null);

        assertThat(all(undoing(1, "", "a", "2"))).containsExactly("2 @29 {a=2, b=x}", "1 @19 {a=1}", "0 @9 {}");
        assertThat(reads).containsExactly("1-3");
    }

    @Test
    void states_writtenPastTheHistory_isTakenBackFirst() {
        change(null, "a", null, "1");
        change(null, "b", null, "x");

        assertThat(all(undoing(1, "", "a", "by hand", "b", "x", "c", "foreign")))
                .containsExactly("2 @20 {a=1, b=x, c=foreign}", "1 @19 {a=1, c=foreign}", "0 @9 {c=foreign}");
    }

    @Test
    void states_changeInParts_isTakenBackAsAWhole() {
        change(null, "a", null, "1");
        change(new HistoryRecord.Part("p", 1, 2, "r"), "a", "1", "2");
        change(new HistoryRecord.Part("p", 2, 2, null), "b", null, "x");

        assertThat(all(undoing(1, "", "a", "2", "b", "x"))).containsExactly("1 @19 {a=1}", "0 @9 {}");
    }

    @Test
    void states_onlyALaterPartTouchesThePrefix_theStateBeforeAllPartsIsThere() {
        change(null, "z.x", null, "good");
        change(null, "z.y", null, "good");
        change(new HistoryRecord.Part("p", 1, 2, "r"), "a.x", null, "1");
        change(new HistoryRecord.Part("p", 2, 2, null), "z.x", "good", "bad");

        assertThat(all(undoing(1, "z.", "z.x", "bad", "z.y", "good")))
                .containsExactly("2 @29 {z.x=good, z.y=good}", "1 @19 {z.x=good}", "0 @9 {}");
    }

    @Test
    void states_partsAreReadApart_noneIsBetweenThem() {
        change(null, "a", null, "good");
        change(new HistoryRecord.Part("p", 1, 40, "r"), "b", "1", "2");
        for (int part = 2; part <= 40; part++) {
            change(new HistoryRecord.Part("p", part, 40, part < 40 ? "r" : null), "k" + (100 + part), null, "1");
        }
        String[] present = new String[82];
        present[0] = "a";
        present[1] = "good";
        present[2] = "b";
        present[3] = "by hand";
        for (int part = 2; part <= 40; part++) {
            present[2 * part] = "k" + (100 + part);
            present[2 * part + 1] = "1";
        }

        assertThat(all(undoing(1, "", present))).containsExactly("1 @19 {a=good, b=1}", "0 @9 {b=1}");
    }

    @Test
    void states_historyBeginsWithinALargeChange_noneIsBetweenItsParts() {
        change(null, "a", null, "1");
        change(new HistoryRecord.Part("p", 1, 2, "r"), "a", "1", "2");
        change(new HistoryRecord.Part("p", 2, 2, null), "b", null, "x");

        assertThat(all(undoing(3, "", "a", "2", "b", "x"))).isEmpty();
    }

    @Test
    void states_foreignRecordInTheHistory_isPassedOver() {
        change(null, "a", null, "1");
        change(null, "a", "1", "2");
        history.put(1L, new Item(HistoryRecord.key("config", 1), new byte[] {1}, new Written(10)));

        assertThat(all(undoing(1, "", "a", "2"))).containsExactly("1 @19 {a=1}");
    }

    @Test
    void states_manyForeignRecordsInARow_arePassedOver() {
        change(null, "a", null, "1");
        change(null, "a", "1", "2");
        for (long number = 3; number <= 80; number++) {
            history.put(number, new Item(HistoryRecord.key("config", number), new byte[] {1}, new Written(30)));
        }
        last = 80;

        assertThat(all(undoing(1, "", "a", "2"))).containsExactly("1 @19 {a=1}", "0 @9 {}");
    }

    @Test
    void states_historyCannotBeReadForAWhile_noneIsWithoutWhatWasNotRead() {
        for (int i = 0; i < 100; i++) {
            change(null, "a", String.valueOf(i), String.valueOf(i + 1));
        }
        history.keySet().removeIf(number -> number >= 69);
        Undoing undoing = undoing(1, "", "a", "100");

        assertThat(undoing.hasNext()).isFalse();
        assertThat(undoing.hasNext()).isFalse();
        assertThat(reads).containsExactly("69-100");
    }

    @Test
    void next_noneIsLeft_says() {
        change(null, "a", null, "1");
        Undoing undoing = undoing(1, "", "a", "1");
        undoing.next();
        assertThatThrownBy(undoing::next).isInstanceOf(NoSuchElementException.class);
    }

    @Test
    void states_valuesTakenBack_bearTheRevisionBeforeTheirChange() {
        change(null, "a", null, "1");
        change(null, "a", "1", "2");

        Undoing byHand = undoing(1, "", "a", "other");
        assertThat(byHand.next().values().get("a")).isEqualTo(new ConfigValue("a", "2", 20, false));
        assertThat(byHand.next().values().get("a")).isEqualTo(new ConfigValue("a", "1", 19, false));
        CandidateState before = undoing(1, "", "a", "2").next();
        assertThat(before.at()).isEqualTo(new Position("h", 19));
        assertThat(before.source()).isEqualTo(ConfigSource.LIVE);
        assertThat(before.canary()).isEmpty();
    }

    @Test
    void states_secretInTheSpaceOrInTheHistory_areMarked() {
        marked = new TreeSet<>(List.of("now"));
        change(null, "now", "1", "2", "open", "1", "2");
        changeOfSecret("then", "1", "2");

        CandidateState state =
                undoing(1, "", "now", "2", "open", "2", "then", "2").next();
        assertThat(state.values().get("then").secret()).isTrue();
        Undoing all = undoing(1, "", "now", "2", "open", "2", "then", "2");
        all.next();
        CandidateState earliest = all.next();
        assertThat(earliest.values().get("now").secret()).isTrue();
        assertThat(earliest.values().get("open").secret()).isFalse();
    }

    @Test
    void states_ofOtherPrefixes_stay() {
        change(null, "a.x", null, "1", "b.x", null, "1");
        change(null, "b.x", "1", "2");

        assertThat(all(undoing(1, "a.", "a.x", "1"))).containsExactly("0 @9 {}");
    }

    @Test
    void states_manyChanges_areReadAsFarAsTheyAreAskedFor() {
        for (int i = 0; i < 100; i++) {
            change(null, "a", String.valueOf(i), String.valueOf(i + 1));
        }
        Undoing undoing = undoing(11, "", "a", "100");
        assertThat(reads).isEmpty();
        assertThat(undoing.next().values().get("a").text()).isEqualTo("99");
        assertThat(reads).containsExactly("69-100");
        assertThat(all(undoing)).hasSize(89).last().isEqualTo("10 @109 {a=10}");
        assertThat(reads).containsExactly("69-100", "37-68", "11-36");
    }

    @Test
    void states_historyCannotBeRead_endThere() {
        change(null, "a", null, "1");
        history.clear();
        assertThat(undoing(1, "", "a", "1").hasNext()).isFalse();
        assertThat(reads).containsExactly("1-1");
    }

    @Test
    void states_secretByPattern_areMarked() {
        change(null, "pin", "old", "new");
        CandidateState state = undoing(1, "", "pin", "new").next();
        assertThat(Optional.ofNullable(state.values().get("pin")))
                .hasValueSatisfying(value -> assertThat(value.secret()).isTrue());
    }
}
