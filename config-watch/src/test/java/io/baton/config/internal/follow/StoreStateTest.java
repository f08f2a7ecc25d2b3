package io.baton.config.internal.follow;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.Item;
import io.baton.Position;
import io.baton.RecordKey;
import io.baton.Revision;
import io.baton.config.Bounds;
import io.baton.config.ConfigValue;
import io.baton.config.internal.record.CanaryRecord;
import io.baton.config.internal.record.FrozenMap;
import io.baton.config.internal.record.SpaceHead;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What comes of what the store tells, and what a store that was set back cannot hide, however far its revisions have
 * grown since.
 */
class StoreStateTest {

    private static final StoreState NOTHING = StoreState.of(new Position("h", 0), FrozenMap.empty(), SpaceHead.NONE);
    private static final StoreState.Scope ALL = new StoreState.Scope("", key -> key.equals("pin"));

    private final StoreState earlier = known("two", 5);

    private record Written(long order) implements Revision {}

    private static Item item(String name, String text, long revision) {
        return item(name, text.getBytes(StandardCharsets.UTF_8), revision);
    }

    private static Item item(String name, byte[] value, long revision) {
        return new Item(new RecordKey("config", name), value, new Written(revision));
    }

    private static Item head(long change, String... secrets) {
        SpaceHead head = SpaceHead.NONE;
        for (int i = 0; i < change; i++) {
            head = head.next(10);
        }
        return item(SpaceHead.KEY, head.secrets(new TreeSet<>(List.of(secrets))).encode(), 100 + change);
    }

    private static Item canary(String id) {
        var record = new CanaryRecord(
                0, id, "me", "", Instant.EPOCH, Duration.ZERO, new TreeMap<>(), 100, null, 0, "", new TreeMap<>());
        return item(CanaryRecord.KEY, record.encode(), 3);
    }

    private static StoreState whole(StoreState before, StoreState.Scope scope, Item... items) {
        return before.after(
                StoreUpdate.Whole.of(StoreUpdate.Gap.NONE, before.at(), new Position("h", 20), List.of(items)), scope);
    }

    private static StoreState part(StoreState before, StoreState.Scope scope, List<Item> put, String... gone) {
        List<RecordKey> keys =
                Stream.of(gone).map(name -> new RecordKey("config", name)).toList();
        return before.after(StoreUpdate.Part.of(new Position("h", 21), put, keys), scope);
    }

    private static List<String> values(StoreState known) {
        var values = new ArrayList<String>();
        known.values().forEach((key, value) -> values.add(value.toString()));
        return values;
    }

    @Test
    void after_allThereIs_isKnownAsFarAsItConcernsUs() {
        StoreState known = whole(
                NOTHING,
                new StoreState.Scope("a", key -> key.equals("a.pin")),
                item("a.x", "1", 3),
                item("a.pin", "2", 4),
                item("a.y", "3", 5),
                item("b", "4", 6),
                head(2, "a.y"));

        assertThat(values(known)).containsExactly("a.pin=(secret) @4", "a.x=1 @3", "a.y=(secret) @5");
        assertThat(known.at()).isEqualTo(new Position("h", 20));
        assertThat(known.space().change()).isEqualTo(2);
        assertThat(known.unreadable()).isEmpty();
        assertThat(known.canary()).isEmpty();
    }

    @Test
    void after_batonsOwnRecords_areNoValues() {
        assertThat(values(whole(NOTHING, ALL, item("x", "1", 3), head(1), canary("c1"))))
                .containsExactly("x=1 @3");
    }

    @Test
    void after_allThereIsWithoutWhatWasKnown_forgetsIt() {
        StoreState before = whole(NOTHING, ALL, item("x", "1", 3), item("y", "1", 3), head(2), canary("c1"));
        StoreState known = whole(before, ALL, item("y", "1", 3));

        assertThat(values(known)).containsExactly("y=1 @3");
        assertThat(known.space()).isEqualTo(SpaceHead.NONE);
        assertThat(known.canary()).isEmpty();
    }

    @Test
    void after_someOfIt_leavesTheRest() {
        StoreState before =
                whole(NOTHING, ALL, item("x", "1", 3), item("y", "1", 3), item("z", "1", 3), head(2), canary("c1"));
        StoreState known = part(before, ALL, List.of(item("y", "2", 21)), "z", "other");

        assertThat(values(known)).containsExactly("x=1 @3", "y=2 @21");
        assertThat(known.at()).isEqualTo(new Position("h", 21));
        assertThat(known.space().change()).isEqualTo(2);
        assertThat(known.canary()).isPresent();
        assertThat(part(known, ALL, List.of(), CanaryRecord.KEY).canary()).isEmpty();
        assertThat(part(known, ALL, List.of(head(3))).space().change()).isEqualTo(3);
        assertThat(part(known, ALL, List.of(), SpaceHead.KEY).space()).isEqualTo(SpaceHead.NONE);
    }

    @Test
    void after_nothingNew_isTheSame() {
        StoreState before = whole(NOTHING, ALL, item("x", "1", 3));
        assertThat(before.after(new StoreUpdate.Again(), ALL)).isSameAs(before);
    }

    @Test
    void after_headCannotBeRead_theLastOneStays() {
        StoreState before = whole(NOTHING, ALL, item("x", "1", 3), head(2, "x"));
        StoreState known = part(before, ALL, List.of(item(SpaceHead.KEY, "?", 21)));

        assertThat(known.space()).isEqualTo(before.space());
        assertThat(known.unreadable()).isPresent();
        assertThat(values(known)).containsExactly("x=(secret) @3");
        assertThat(part(known, ALL, List.of(head(3))).unreadable()).isEmpty();
    }

    @Test
    void after_canaryCannotBeRead_thereIsNone() {
        StoreState before = whole(NOTHING, ALL, canary("c1"));
        assertThat(before.canary().orElseThrow().id()).isEqualTo("c1");
        assertThat(part(before, ALL, List.of(item(CanaryRecord.KEY, "?", 21))).canary())
                .isEmpty();
    }

    @Test
    void after_marksChange_valuesBearThem() {
        StoreState before =
                whole(NOTHING, ALL, item("x", "1", 3), item("y", "1", 3), item("pin", "1", 3), head(2, "x"));
        assertThat(values(before)).containsExactly("pin=(secret) @3", "x=(secret) @3", "y=1 @3");

        StoreState known = part(before, ALL, List.of(head(3, "y")));

        assertThat(values(known)).containsExactly("pin=(secret) @3", "x=1 @3", "y=(secret) @3");
    }

    @Test
    void after_marksStay_valuesAreTheVerySame() {
        StoreState before = whole(NOTHING, ALL, item("x", "1", 3), item("y", "1", 3), head(2, "x"));
        StoreState known = part(before, ALL, List.of(head(3, "x"), item("y", "2", 21)));
        assertThat(known.values().get("x")).isSameAs(before.values().get("x"));
    }

    @Test
    void marked_secretByNow_bearsTheMark() {
        StoreState known = whole(NOTHING, ALL, head(2, "x"));
        var open = new ConfigValue("x", "1", 3, false);
        var other = new ConfigValue("y", "1", 3, false);
        var secret = new ConfigValue("y", "1", 3, true);

        assertThat(known.marked(open, ALL)).isEqualTo(new ConfigValue("x", "1", 3, true));
        assertThat(known.marked(other, ALL)).isSameAs(other);
        assertThat(known.marked(secret, ALL)).isSameAs(secret);
    }

    @Test
    void marking_earlierValues_whatIsSecretByNowBearsTheMark() {
        StoreState known = whole(NOTHING, ALL, head(2, "x"));
        FrozenMap<ConfigValue> earlier = Bounds.values("x", "1", "y", "1");

        assertThat(known.marking(earlier, ALL).get("x")).isEqualTo(new ConfigValue("x", "1", 1, true));
        assertThat(known.marking(earlier, ALL).get("y")).isSameAs(earlier.get("y"));
        FrozenMap<ConfigValue> open = Bounds.values("y", "1");
        assertThat(known.marking(open, ALL)).isSameAs(open);
    }

    @Test
    void contradicts_valueOfAnEarlierRevision_isSo() {
        assertThat(known("one", 3).contradicts(earlier)).isTrue();
    }

    @Test
    void contradicts_anotherValueOfTheSameRevision_isSo() {
        assertThat(known("other", 5).contradicts(earlier)).isTrue();
    }

    @Test
    void contradicts_sameLaterOrNoValue_isNotSo() {
        assertThat(known("two", 5).contradicts(earlier)).isFalse();
        assertThat(known("three", 8).contradicts(earlier)).isFalse();
        assertThat(StoreState.of(new Position("", 9), FrozenMap.empty(), SpaceHead.NONE)
                        .contradicts(earlier))
                .isFalse();
    }

    @Test
    void contradicts_lastChangeIsAnEarlierOne_isSoIfItCanBeRead() {
        StoreState third = whole(NOTHING, ALL, head(3));
        assertThat(whole(NOTHING, ALL, head(2)).contradicts(third)).isTrue();
        assertThat(whole(NOTHING, ALL, head(3)).contradicts(third)).isFalse();
        assertThat(whole(NOTHING, ALL, head(4)).contradicts(third)).isFalse();
        StoreState unreadable = part(whole(NOTHING, ALL, head(2)), ALL, List.of(item(SpaceHead.KEY, "?", 21)));
        assertThat(unreadable.contradicts(third)).isFalse();
    }

    private static StoreState known(String text, long revision) {
        var values = new TreeMap<String, ConfigValue>();
        values.put("key", new ConfigValue("key", text, revision, false));
        return StoreState.of(new Position("", 9), FrozenMap.copyOf(values), SpaceHead.NONE);
    }
}
