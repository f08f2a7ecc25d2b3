package io.baton.config.internal.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.Guard;
import io.baton.Item;
import io.baton.Op;
import io.baton.RecordKey;
import io.baton.Revision;
import io.baton.config.ConfigConflictException;
import io.baton.config.ConfigException;
import io.baton.config.internal.record.CanaryRecord;
import io.baton.config.internal.record.HistoryRecord;
import io.baton.config.internal.record.SpaceHead;
import io.baton.config.internal.record.SpaceRead;
import io.baton.config.internal.record.TooLargeException;
import io.baton.spi.Guarantees;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The one transaction of a change: what it compares, what it writes, and when there is none. */
class PlanTest {

    private static final Guarantees LARGE = limits(1_000, 1_000_000);
    private static final int RETAIN = 3;

    private record Written(long order) implements Revision {}

    private SpaceHead head = SpaceHead.NONE.retaining(RETAIN, 1_000_000);
    private final Map<String, Optional<Item>> records = new TreeMap<>();
    private final SortedMap<String, Optional<String>> texts = new TreeMap<>();
    private final SortedMap<String, Long> expected = new TreeMap<>();
    private final SortedSet<String> marked = new TreeSet<>();
    private final SortedSet<String> unmarked = new TreeSet<>();
    private OptionalLong after = OptionalLong.empty();
    private Optional<Item> promoted = Optional.empty();
    private Optional<HistoryRecord.Part> part = Optional.empty();

    private static Guarantees limits(int ops, int bytes) {
        return Guarantees.ofQuorum(ops, bytes, Duration.ZERO);
    }

    private static Item item(String name, String text, long revision) {
        return new Item(new RecordKey("config", name), text.getBytes(StandardCharsets.UTF_8), new Written(revision));
    }

    private void there(String name, String text, long revision) {
        records.put(name, Optional.of(item(name, text, revision)));
    }

    private Draft draft() {
        return new Draft(texts, expected, marked, unmarked, after, promoted, part, "me", "why");
    }

    private SpaceRead present() {
        Item record = new Item(new RecordKey("config", SpaceHead.KEY), head.encode(), new Written(99));
        Optional<Item> headRecord = head.change() == 0 ? Optional.empty() : Optional.of(record);
        return new SpaceRead("config", head, headRecord, records);
    }

    private Plan plan(Guarantees limits) {
        return Plan.of(draft(), present(), "id", 5, limits);
    }

    private static List<String> guards(Plan plan) {
        return plan.guards().stream().map(PlanTest::text).toList();
    }

    private static String text(Guard guard) {
        if (guard instanceof Guard.Unchanged unchanged) {
            return unchanged.key() + " @" + unchanged.revision().order();
        }
        return guard instanceof Guard.Absent absent ? "no " + absent.key() : String.valueOf(guard);
    }

    /** Without what Baton writes itself. */
    private static List<String> values(Plan plan) {
        List<String> all = new ArrayList<>(ops(plan));
        all.removeIf(op -> op.contains("config.history/") || op.startsWith("put config/$baton"));
        return all;
    }

    private static List<String> ops(Plan plan) {
        return plan.ops().stream()
                .map(op -> op instanceof Op.Put put
                        ? "put " + put.key() + (put.key().name().startsWith("$") ? "" : "=" + text(put.value()))
                        : "delete " + op.key())
                .map(op -> op.startsWith("put config.history") ? op.substring(0, op.indexOf('=')) : op)
                .toList();
    }

    private static String text(byte[] value) {
        return new String(value, StandardCharsets.UTF_8);
    }

    private SpaceHead written(Plan plan) {
        Op.Put put = (Op.Put) plan.ops().get(plan.ops().size() - 1);
        return SpaceHead.of(Optional.of(new Item(put.key(), put.value(), new Written(1))));
    }

    private HistoryRecord place(Plan plan) {
        return plan.ops().stream()
                .filter(op -> op instanceof Op.Put && op.key().tree().equals("config.history"))
                .map(op -> HistoryRecord.of(new Item(op.key(), ((Op.Put) op).value(), new Written(1))))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void of_aChange_comparesAndWritesItAndItsPlaceAndWhatIsKnown() {
        head = head.next(10);
        there("b", "old", 7);
        there("c", "old", 8);
        texts.put("a", Optional.of("1"));
        texts.put("b", Optional.of("2"));
        texts.put("c", Optional.empty());

        Plan plan = plan(LARGE);

        assertThat(plan.number()).isEqualTo(2);
        assertThat(guards(plan))
                .containsExactly(
                        "no config/a",
                        "config/b @7",
                        "config/c @8",
                        "config/$baton @99",
                        "no config.history/0000000000000002");
        assertThat(ops(plan))
                .containsExactly(
                        "put config/a=1",
                        "put config/b=2",
                        "delete config/c",
                        "put config.history/0000000000000002",
                        "put config/$baton");
        assertThat(written(plan).change()).isEqualTo(2);
        assertThat(place(plan).all())
                .containsExactlyEntriesOf(new TreeMap<>(Map.of(
                        "a", new HistoryRecord.Key(null, "1", false),
                        "b", new HistoryRecord.Key("old", "2", false),
                        "c", new HistoryRecord.Key("old", null, false))));
        assertThat(place(plan).author()).isEqualTo("me");
        assertThat(place(plan).comment()).isEqualTo("why");
        assertThat(place(plan).id()).isEqualTo("id");
        assertThat(place(plan).time()).isEqualTo(5);
        assertThat(plan.keys().keySet()).containsExactly("a", "b", "c");
    }

    @Test
    void of_firstChangeOfASpace_wantsNothingOfBatonsThere() {
        texts.put("a", Optional.of("1"));
        assertThat(guards(plan(LARGE)))
                .containsExactly("no config/a", "no config/$baton", "no config.history/0000000000000001");
    }

    @Test
    void of_partOfItIsSoAlready_comparesThatIfThereIsRoom() {
        there("same", "1", 4);
        texts.put("same", Optional.of("1"));
        texts.put("gone", Optional.empty());
        texts.put("new", Optional.of("2"));

        assertThat(guards(plan(LARGE))).startsWith("no config/gone", "no config/new", "config/same @4");
        assertThat(values(plan(LARGE))).containsExactly("put config/new=2");
        assertThat(plan(LARGE).keys().keySet()).containsExactly("new");
        // Four of the change itself, two of its key, two that are compared only.
        assertThat(guards(plan(limits(8, 1_000_000)))).hasSize(5);
        assertThat(guards(plan(limits(7, 1_000_000)))).doesNotContain("config/same @4", "no config/gone");
    }

    @Test
    void of_noRoomToCompareTheRest_whatWasExpectedIsComparedAllTheSame() {
        there("same", "1", 4);
        there("sure", "1", 5);
        texts.put("same", Optional.of("1"));
        texts.put("sure", Optional.of("1"));
        texts.put("new", Optional.of("2"));
        expected.put("sure", 5L);

        assertThat(guards(plan(limits(7, 1_000_000))))
                .startsWith("no config/new", "config/sure @5")
                .doesNotContain("config/same @4");
        // It takes a place of the transaction, which is not left over then.
        assertThatThrownBy(() -> plan(limits(6, 1_000_000))).isInstanceOf(ConfigException.class);
    }

    @Test
    void of_nothingDiffers_isRefused() {
        assertThatThrownBy(() -> plan(LARGE))
                .isInstanceOf(NothingToWriteException.class)
                .hasMessage("nothing to write");
        there("a", "1", 4);
        texts.put("a", Optional.of("1"));
        assertThatThrownBy(() -> plan(LARGE))
                .isInstanceOf(NothingToWriteException.class)
                .hasMessageContaining("everything is as it would be");
    }

    @Test
    void of_tooManyKeys_isRefused() {
        texts.put("a", Optional.of("1"));
        texts.put("b", Optional.of("1"));
        assertThat(plan(limits(8, 1_000_000)).ops()).hasSize(4);
        assertThatThrownBy(() -> plan(limits(7, 1_000_000))).isInstanceOf(TooLargeException.class);
    }

    @Test
    void of_marksOnly_writesNoValue() {
        there("a", "1", 4);
        there("b", "1", 5);
        head = head.secrets(new TreeSet<>(List.of("b", "c")));
        marked.add("a");
        marked.add("c");
        unmarked.add("b");

        Plan plan = plan(LARGE);

        assertThat(values(plan)).isEmpty();
        assertThat(guards(plan)).startsWith("config/a @4", "config/b @5", "no config/c");
        // Its texts are secret in the history as they were before or are after.
        assertThat(plan.keys())
                .containsExactlyEntriesOf(new TreeMap<>(Map.of(
                        "a", new HistoryRecord.Key("1", "1", true), "b", new HistoryRecord.Key("1", "1", true))));
        assertThat(written(plan).secrets()).containsExactly("a", "c");
    }

    @Test
    void of_secretKeyIsWritten_itsTextsAreSecretInTheHistory() {
        head = head.secrets(new TreeSet<>(List.of("pin")));
        texts.put("pin", Optional.of("1"));
        texts.put("open", Optional.of("1"));

        Plan plan = plan(LARGE);

        assertThat(plan.keys().get("pin").secret()).isTrue();
        assertThat(plan.keys().get("open").secret()).isFalse();
        assertThat(written(plan).secrets()).containsExactly("pin");
    }

    @Test
    void of_keyWasWrittenMeanwhile_isAConflict() {
        there("a", "1", 4);
        texts.put("a", Optional.of("2"));
        expected.put("a", 3L);
        assertThatThrownBy(() -> plan(LARGE))
                .isInstanceOf(ConfigConflictException.class)
                .hasMessage("'a' was written meanwhile: it is of revision 4, not of revision 3 as expected");
        expected.put("a", 0L);
        assertThatThrownBy(() -> plan(LARGE)).hasMessageEndingWith("it is of revision 4, not absent as expected");
        expected.put("a", 4L);
        expected.put("b", 2L);
        assertThatThrownBy(() -> plan(LARGE))
                .hasMessage("'b' was written meanwhile: it is not there, not of revision 2 as expected");
        expected.put("b", 0L);
        assertThat(guards(plan(LARGE))).startsWith("config/a @4", "no config/b");
    }

    @Test
    void of_anotherChangeWasWrittenMeanwhile_isAConflict() {
        head = head.next(10).next(10);
        texts.put("a", Optional.of("2"));
        after = OptionalLong.of(1);
        assertThatThrownBy(() -> plan(LARGE))
                .isInstanceOf(ConfigConflictException.class)
                .hasMessageStartingWith("change 2 was written meanwhile, after change 1");
        after = OptionalLong.of(2);
        assertThat(plan(LARGE).number()).isEqualTo(3);
    }

    @Test
    void of_promotion_comparesAndTakesAwayTheCanary() {
        there(CanaryRecord.KEY, "canary", 6);
        promoted = records.get(CanaryRecord.KEY);
        texts.put("a", Optional.of("2"));

        Plan plan = plan(LARGE);

        assertThat(guards(plan)).endsWith("config/$canary @6");
        assertThat(values(plan)).containsExactly("put config/a=2", "delete config/$canary");
        assertThat(plan(limits(8, 1_000_000)).ops()).hasSize(4);
        assertThatThrownBy(() -> plan(limits(7, 1_000_000))).isInstanceOf(ConfigException.class);
    }

    @Test
    void of_promotionOfACanaryThatWasWrittenMeanwhile_isAConflict() {
        promoted = Optional.of(item(CanaryRecord.KEY, "canary", 6));
        texts.put("a", Optional.of("2"));
        assertThatThrownBy(() -> plan(LARGE)).isInstanceOf(ConfigConflictException.class);
        there(CanaryRecord.KEY, "canary", 7);
        assertThatThrownBy(() -> plan(LARGE))
                .isInstanceOf(ConfigConflictException.class)
                .hasMessageContaining("held or taken back");
    }

    @Test
    void of_moreThanIsKept_forgetsTheOldest() {
        head = changes(RETAIN);
        texts.put("a", Optional.of("2"));

        Plan plan = plan(LARGE);

        assertThat(ops(plan)).contains("delete config.history/0000000000000001");
        assertThat(ops(plan)).filteredOn(op -> op.startsWith("delete")).hasSize(1);
        assertThat(written(plan).oldest()).isEqualTo(2);
    }

    @Test
    void of_muchMoreThanIsKept_forgetsAHundredOrAsManyAsThereIsRoomFor() {
        head = changes(500);
        texts.put("a", Optional.of("2"));

        assertThat(written(plan(LARGE)).oldest()).isEqualTo(101);
        assertThat(plan(LARGE).ops()).hasSize(103);
        Plan full = plan(limits(10, 1_000_000));
        assertThat(written(full).oldest()).isEqualTo(5);
        assertThat(full.guards().size() + full.ops().size()).isEqualTo(10);
    }

    @Test
    void of_partWithMoreToCome_forgetsNothing() {
        head = changes(RETAIN);
        texts.put("a", Optional.of("2"));
        part = Optional.of(new HistoryRecord.Part("all", 1, 2, "rest"));
        assertThat(written(plan(LARGE)).oldest()).isEqualTo(1);
        assertThat(place(plan(LARGE)).part()).isEqualTo(part.orElseThrow());
        part = Optional.of(new HistoryRecord.Part("all", 2, 2, null));
        assertThat(written(plan(LARGE)).oldest()).isEqualTo(2);
    }

    @Test
    void sizes_whateverIsWritten_takesNoMoreThanWasReckoned() {
        SortedSet<String> secrets = new TreeSet<>();
        for (int i = 0; i < 100; i++) {
            secrets.add("a secret key, number " + i);
        }
        head = changes(2).secrets(secrets);
        String[] names = {"a", "key with blanks", "ключ"};
        for (String name : names) {
            texts.put(name, Optional.of("text \"of\" " + name));
        }
        expected.put("x", 0L);
        SortedMap<String, HistoryRecord.Key> keys = Plan.keys(draft(), present());
        int most = 100_000;
        int least = 0;
        while (most - least > 1) {
            int between = (most + least) / 2;
            if (fits(limits(100, between), keys)) {
                most = between;
            } else {
                least = between;
            }
        }
        Plan plan = plan(limits(100, most));
        int bytes = plan.ops().stream()
                .mapToInt(op -> op.key().toString().length() + (op instanceof Op.Put put ? put.value().length : 0))
                .sum();
        assertThat(bytes).isLessThan(most);
        // Four more, and one that is compared only.
        assertThat(fits(limits(11, 100_000), keys)).isTrue();
        assertThat(fits(limits(10, 100_000), keys)).isFalse();
    }

    private boolean fits(Guarantees limits, SortedMap<String, HistoryRecord.Key> keys) {
        try {
            Plan.sizes(draft(), present(), keys, limits).check(keys);
            return true;
        } catch (ConfigException tooLarge) {
            return false;
        }
    }

    private static SpaceHead changes(int count) {
        SpaceHead head = SpaceHead.NONE.retaining(RETAIN, 1_000_000);
        for (int i = 0; i < count; i++) {
            head = head.next(10);
        }
        return head;
    }
}
