package io.baton.config.internal.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.Item;
import io.baton.RecordKey;
import io.baton.Revision;
import io.baton.config.ConfigException;
import io.baton.config.ConfigRetention;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What is known of a space as a whole: which changes are kept, and what is secret. */
class SpaceHeadTest {

    private static final long SIXTEEN_MEBIBYTES = 16L << 20;

    private record Written(long order) implements Revision {}

    private static SpaceHead read(byte[] value) {
        return SpaceHead.of(Optional.of(new Item(new RecordKey("config", SpaceHead.KEY), value, new Written(7))));
    }

    private static SpaceHead read(String json) {
        return read(json.getBytes(StandardCharsets.UTF_8));
    }

    /** After so many changes of ten bytes each. */
    private static SpaceHead after(int changes) {
        SpaceHead head = SpaceHead.NONE;
        for (int i = 0; i < changes; i++) {
            head = head.next(10);
        }
        return head;
    }

    private static TreeSet<String> marks(String... keys) {
        return new TreeSet<>(List.of(keys));
    }

    @Test
    void of_noRecord_isTheBeginning() {
        assertThat(SpaceHead.of(Optional.empty())).isEqualTo(SpaceHead.NONE);
        assertThat(SpaceHead.NONE.change()).isZero();
        assertThat(SpaceHead.NONE.retention()).isEqualTo(new ConfigRetention(1_000, SIXTEEN_MEBIBYTES, 0, 0));
    }

    @Test
    void of_whatWasEncoded_isTheSame() {
        SpaceHead head = after(3).secrets(marks("a", "b")).next(20).secrets(marks("a"));

        assertThat(read(head.encode())).isEqualTo(head);
        assertThat(read(SpaceHead.NONE.encode())).isEqualTo(SpaceHead.NONE);
        assertThat(read(after(30).trimmed(5).retaining(10, 500).trimmed(9).encode()))
                .isEqualTo(after(30).retaining(10, 500).trimmed(9));
    }

    @Test
    void of_earlierVersions_hasWhatTheyDidNotHave() {
        SpaceHead head = read("{\"change\":7,\"oldest\":3,\"retain\":10,\"later\":1}");

        assertThat(head)
                .isEqualTo(new SpaceHead(
                        7,
                        3,
                        10,
                        SIXTEEN_MEBIBYTES,
                        new Kept(List.of(new Kept.Block(5, 0))),
                        new TreeSet<>(),
                        new TreeMap<>()));
    }

    @Test
    void of_numbersThatCannotBe_isRefused() {
        String json = "{\"change\":%d,\"oldest\":%d,\"retain\":%d,\"retainBytes\":%d}";

        assertThat(read(json.formatted(0, 1, 1, 0)).retainBytes()).isEqualTo(SIXTEEN_MEBIBYTES);
        assertThat(read(json.formatted(0, 1, 1, 1)).retainBytes()).isEqualTo(1);
        for (String bad : List.of(
                json.formatted(-1, 1, 1, 0),
                json.formatted(0, 0, 1, 0),
                json.formatted(0, 1, 0, 0),
                json.formatted(0, 1, 1, -1),
                "?")) {
            assertThatThrownBy(() -> read(bad))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("$baton");
        }
    }

    @Test
    void of_sizesThatAreNotThoseOfAllChanges_countAsNothing() {
        String json = "{\"change\":%d,\"oldest\":%d,\"retain\":10,\"kept\":%s}";

        assertThat(read(json.formatted(3, 2, "[[1,5],[1,7]]")).kept())
                .isEqualTo(new Kept(List.of(new Kept.Block(1, 5), new Kept.Block(1, 7))));
        assertThat(read(json.formatted(4, 2, "[[1,5],[1,7]]")).kept())
                .isEqualTo(new Kept(List.of(new Kept.Block(3, 0))));
        assertThat(read(json.formatted(3, 2, "[[1,5],null,[1,7]]")).kept())
                .isEqualTo(new Kept(List.of(new Kept.Block(2, 0))));
        assertThat(read(json.formatted(3, 2, "[[2,5],[0,7]]")).kept())
                .isEqualTo(new Kept(List.of(new Kept.Block(2, 0))));
        assertThat(read(json.formatted(0, 1, "null")).kept()).isEqualTo(Kept.NOTHING);
        assertThat(read(json.formatted(3, 9, "null")).kept()).isEqualTo(Kept.NOTHING);
    }

    @Test
    void next_change_isCountedWithItsSize() {
        SpaceHead head = after(2).next(30);

        assertThat(head.change()).isEqualTo(3);
        assertThat(head.oldest()).isEqualTo(1);
        assertThat(head.retention()).isEqualTo(new ConfigRetention(1_000, SIXTEEN_MEBIBYTES, 3, 50));
    }

    @Test
    void secret_markedNow_isSoForAllChanges() {
        SpaceHead head = after(2).secrets(marks("a"));

        assertThat(head.secret("a")).isTrue();
        assertThat(head.secret("b")).isFalse();
        assertThat(head.secret("a", 9)).isTrue();
        assertThat(head.secret("b", 1)).isFalse();
        assertThat(head.next(1).secret("a")).isTrue();
    }

    @Test
    void secret_markedFormerly_isSoForTheChangesUntilThen() {
        SpaceHead head =
                after(2).secrets(marks("a", "b")).next(1).secrets(marks("b")).next(1);

        assertThat(head.secret("a")).isFalse();
        assertThat(head.secret("a", 3)).isTrue();
        assertThat(head.secret("a", 4)).isFalse();
        assertThat(head.formerly()).containsExactly(Map.entry("a", 3L));
        assertThat(head.secrets(marks("a")).formerly()).containsExactly(Map.entry("b", 4L));
    }

    @Test
    void trimmed_moreThanAreToBeKept_goesFromTheOldestOn() {
        SpaceHead head = after(30).retaining(10, 1_000);

        assertThat(head.trimmed(100).oldest()).isEqualTo(21);
        assertThat(head.trimmed(100).retention()).isEqualTo(new ConfigRetention(10, 1_000, 10, 100));
        assertThat(head.trimmed(5).oldest()).isEqualTo(6);
        assertThat(head.trimmed(5).trimmed(5).oldest()).isEqualTo(11);
        assertThat(head.trimmed(0).oldest()).isEqualTo(1);
        assertThat(after(10).retaining(10, 1_000).trimmed(100).oldest()).isEqualTo(1);
    }

    @Test
    void trimmed_moreBytesThanAreToBeKept_goesFromTheOldestOnButForTheNewest() {
        assertThat(after(30).retaining(1_000, 100).trimmed(100).oldest()).isEqualTo(21);
        assertThat(after(30).retaining(1_000, 99).trimmed(100).oldest()).isEqualTo(22);
        assertThat(after(30).retaining(1_000, 1).trimmed(100).oldest()).isEqualTo(30);
        assertThat(SpaceHead.NONE.trimmed(100)).isEqualTo(SpaceHead.NONE);
    }

    @Test
    void trimmed_formerMarksOfChangesThatAreGone_areForgotten() {
        SpaceHead head = after(2).secrets(marks("a"))
                .secrets(marks())
                .next(1)
                .secrets(marks("b"))
                .secrets(marks())
                .next(1)
                .next(1);

        assertThat(head.formerly()).containsExactly(Map.entry("a", 2L), Map.entry("b", 3L));
        assertThat(head.retaining(4, 100).trimmed(10).formerly()).containsOnlyKeys("a", "b");
        assertThat(head.retaining(3, 100).trimmed(10).formerly()).containsOnlyKeys("b");
        assertThat(head.retaining(2, 100).trimmed(10).formerly()).isEmpty();
    }
}
