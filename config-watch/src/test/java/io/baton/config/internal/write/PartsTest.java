package io.baton.config.internal.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.config.ConfigException;
import io.baton.config.KeyChange;
import io.baton.config.Rig;
import io.baton.config.internal.record.ConfigSpace;
import io.baton.config.internal.record.HistoryRecord;
import io.baton.config.internal.record.Space;
import io.baton.config.internal.record.SpaceRead;
import io.baton.config.internal.record.TooLargeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** How a change is divided into transactions, and how the rest of one is known again. */
class PartsTest {

    private static final int MANY = 1_000;

    private final Rig rig = new Rig("parts");
    private final Space space = new Space(ConfigSpace.of(rig.client("app"), "config"));
    private final SortedMap<String, Optional<String>> texts = new TreeMap<>();
    private final TreeMap<String, Long> expected = new TreeMap<>();
    private final TreeSet<String> marked = new TreeSet<>();

    private static String key(int i) {
        return String.format("key-%04d", i);
    }

    private void many(String text) {
        for (int i = 0; i < MANY; i++) {
            texts.put(key(i), Optional.of(text));
        }
    }

    /** What the fields say by now. */
    private Draft draft() {
        return new Draft(
                new TreeMap<>(texts),
                new TreeMap<>(expected),
                new TreeSet<>(marked),
                new TreeSet<>(),
                OptionalLong.empty(),
                Optional.empty(),
                Optional.empty(),
                "me",
                "why");
    }

    private CompletableFuture<Parts.Divided> asked(boolean divisible) {
        CompletableFuture<Parts.Divided> divided = Parts.of(space, draft(), divisible, Duration.ofSeconds(5));
        rig.loop.run();
        return divided;
    }

    private List<Draft> divided() {
        return asked(true).join().drafts();
    }

    private static List<HistoryRecord.Part> parts(List<Draft> drafts) {
        return drafts.stream().map(draft -> draft.part().orElseThrow()).toList();
    }

    private void write(Draft draft) {
        CompletableFuture<SpaceRead> present = space.read(draft.keys());
        rig.loop.run();
        Plan plan = Plan.of(draft, present.join(), "0", 1, space.store().guarantees());
        CompletableFuture<Boolean> written = space.store().write(plan.guards(), plan.ops());
        rig.loop.run();
        assertThat(written.join()).isTrue();
    }

    @Test
    void of_nothingDiffers_isNothing() {
        rig.write("a", "1");
        texts.put("a", Optional.of("1"));
        texts.put("b", Optional.empty());

        for (boolean divisible : List.of(true, false)) {
            Parts.Divided divided = asked(divisible).join();
            assertThat(divided.drafts()).isEmpty();
            assertThat(divided.keys()).isEmpty();
            assertThat(divided.preview().changes()).isEmpty();
            assertThat(divided.preview().transactions()).isZero();
        }
    }

    @Test
    void of_whatFits_isTheDraftItself() {
        rig.write("a", "1");
        texts.put("a", Optional.empty());
        texts.put("b", Optional.of("2"));
        marked.add("b");

        for (boolean divisible : List.of(true, false)) {
            Parts.Divided divided = asked(divisible).join();
            assertThat(divided.drafts()).containsExactly(draft());
            assertThat(divided.keys())
                    .containsOnly(
                            Map.entry("a", new HistoryRecord.Key("1", null, false)),
                            Map.entry("b", new HistoryRecord.Key(null, "2", true)));
            assertThat(divided.preview().transactions()).isEqualTo(1);
            assertThat(divided.preview().changes())
                    .containsExactly(
                            new KeyChange("a", Optional.of("1"), Optional.empty(), false),
                            new KeyChange("b", Optional.empty(), Optional.of("2"), true));
        }
    }

    @Test
    void of_whatDoesNotFit_isRefusedUnlessItMayBeDivided() {
        many("1");

        assertThatThrownBy(asked(false)::join).hasCauseInstanceOf(TooLargeException.class);
        assertThat(divided()).hasSize(3);
    }

    @Test
    void of_whatDoesNotFit_isDividedInOrderUnderOneId() {
        many("1");
        expected.put("other", 0L);
        expected.put(key(MANY - 1), 0L);
        marked.add(key(7));

        List<Draft> drafts = divided();

        List<String> keys = new ArrayList<>();
        drafts.forEach(draft -> keys.addAll(draft.texts().keySet()));
        assertThat(keys).containsExactlyElementsOf(texts.keySet());
        List<HistoryRecord.Part> parts = parts(drafts);
        assertThat(parts).extracting(HistoryRecord.Part::number).containsExactly(1, 2, 3);
        assertThat(parts).extracting(HistoryRecord.Part::total).containsOnly(3);
        assertThat(parts)
                .extracting(HistoryRecord.Part::of)
                .containsOnly(parts.get(0).of());
        assertThat(parts.get(0).of()).isNotEmpty();
        assertThat(parts.get(0).rest()).isNotEmpty().isNotEqualTo(parts.get(1).rest());
        assertThat(parts.get(1).rest()).isNotEmpty();
        assertThat(parts.get(2).rest()).isNull();
        // What is expected of a key that is not written is looked at once.
        assertThat(drafts)
                .extracting(draft -> draft.expected().keySet())
                .containsExactly(Set.of("other"), Set.of(), Set.of(key(MANY - 1)));
        assertThat(drafts.get(0).marked()).containsExactly(key(7));
    }

    @Test
    void of_twoChanges_haveIdsOfTheirOwn() {
        many("1");

        assertThat(parts(divided()).get(0).of())
                .isNotEqualTo(parts(divided()).get(0).of());
    }

    @Test
    void of_restOfAChange_goesOnWithItsIdAndNumbers() {
        many("1");
        List<Draft> first = divided();
        write(first.get(0));

        List<Draft> rest = divided();
        assertThat(parts(rest)).isEqualTo(parts(first).subList(1, 3));
        assertThat(rest.get(0).texts()).isEqualTo(first.get(1).texts());

        write(rest.get(0));
        // It fits into one, and is known all the same.
        assertThat(parts(divided())).isEqualTo(parts(first).subList(2, 3));

        write(rest.get(1));
        assertThat(divided()).isEmpty();
    }

    @Test
    void of_anotherChangeAfterAPart_isOfItsOwn() {
        rig.write(key(MANY - 1), "0");
        many("1");
        texts.put(key(MANY - 1), Optional.of(""));
        List<Draft> first = divided();
        write(first.get(0));
        String id = parts(first).get(0).of();
        assertThat(parts(divided()).get(0).of()).isEqualTo(id);

        texts.put(key(MANY - 1), Optional.empty());
        assertThat(parts(divided()).get(0).of()).as("removed").isNotEqualTo(id);
        texts.put(key(MANY - 1), Optional.of(""));
        texts.put(key(MANY - 3), Optional.of("2"));
        assertThat(parts(divided()).get(0).of()).as("another text").isNotEqualTo(id);
        texts.put(key(MANY - 3), Optional.of("1"));
        marked.add(key(MANY - 1));
        assertThat(parts(divided()).get(0).of()).as("marked").isNotEqualTo(id);
        marked.clear();
        texts.remove(key(MANY - 1));
        texts.put("key-099x", Optional.of(""));
        assertThat(parts(divided()).get(0).of()).as("another key").isNotEqualTo(id);
        assertThat(parts(divided()).get(0).number()).isEqualTo(1);
        texts.remove("key-099x");
        texts.put(key(MANY - 1), Optional.of(""));
        assertThat(parts(divided()).get(0).of()).as("the same again").isEqualTo(id);
    }

    @Test
    void of_smallChangeAfterAPart_isNoPart() {
        many("1");
        write(divided().get(0));
        texts.clear();
        texts.put("a", Optional.of("1"));

        assertThat(divided()).containsExactly(draft());
    }

    @Test
    void of_somebodyHasWrittenSinceAPart_isOfItsOwn() {
        many("1");
        List<Draft> first = divided();
        write(first.get(0));
        SortedMap<String, Optional<String>> all = new TreeMap<>(texts);
        texts.clear();
        texts.put("other", Optional.of("1"));
        write(draft());
        texts.clear();
        texts.putAll(all);

        assertThat(parts(divided()).get(0).of())
                .isNotEqualTo(parts(first).get(0).of());
        assertThat(parts(divided())).extracting(HistoryRecord.Part::number).containsExactly(1, 2);
    }

    @Test
    void of_spaceThatCannotBeRead_fails() {
        rig.write("$baton", "?");
        texts.put("a", Optional.of("1"));

        assertThatThrownBy(asked(true)::join).hasCauseInstanceOf(ConfigException.class);
    }

    @Test
    void of_storeDoesNotAnswer_failsInTime() {
        rig.store.suspend("app");
        texts.put("a", Optional.of("1"));
        CompletableFuture<Parts.Divided> divided = asked(true);
        assertThat(divided).isNotDone();

        rig.pass(Duration.ofMinutes(1));

        assertThat(divided).isCompletedExceptionally();
    }

    @Test
    void of_storeIsBackInTime_isDivided() {
        rig.store.suspend("app");
        texts.put("a", Optional.of("1"));
        CompletableFuture<Parts.Divided> divided = asked(true);
        rig.pass(Duration.ofSeconds(1));
        rig.store.resume();
        rig.loop.run();
        rig.pass(Duration.ofSeconds(1));

        assertThat(divided.join().drafts()).containsExactly(draft());
    }
}
