package io.baton.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.Item;
import io.baton.Position;
import io.baton.Revision;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The states before the present one, as the history has them. Change n is of revision 10n. */
class UndoingTest {

    private final SortedMap<Long, Item> history = new TreeMap<>();
    private final List<String> reads = new ArrayList<>();
    private long last;

    private void change(HistoryRecord.@Nullable Part part, @Nullable String... keysBeforeNow) {
        var keys = new TreeMap<String, HistoryRecord.Key>();
        for (int i = 0; i < keysBeforeNow.length; i += 3) {
            keys.put(
                    String.valueOf(keysBeforeNow[i]),
                    new HistoryRecord.Key(keysBeforeNow[i + 1], keysBeforeNow[i + 2], false));
        }
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
        var head = new SpaceHead(
                last, oldest, none.retain(), none.retainBytes(), none.kept(), none.secrets(), none.formerly());
        Known known = Known.of(new Position("h", last * 10 + 5), FrozenMap.copyOf(values), head);
        return new Undoing(known, new Known.Scope(prefix, key -> key.equals("pin")), (from, to) -> {
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
        Candidate state = undoing(1, "", "pin", "new").next();
        assertThat(Optional.ofNullable(state.values().get("pin")))
                .hasValueSatisfying(value -> assertThat(value.secret()).isTrue());
    }
}
