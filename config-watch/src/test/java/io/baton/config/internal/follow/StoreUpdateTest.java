package io.baton.config.internal.follow;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.Item;
import io.baton.Position;
import io.baton.RecordKey;
import io.baton.Revision;
import io.baton.config.internal.follow.StoreUpdate.Gap;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What the store has told: two that follow each other as one. */
class StoreUpdateTest {

    private static final byte[] TEXT = "text".getBytes(StandardCharsets.UTF_8);

    private record Written(long order) implements Revision {}

    private static Item item(String name, long revision) {
        return new Item(key(name), TEXT, new Written(revision));
    }

    private static RecordKey key(String name) {
        return new RecordKey("config", name);
    }

    private static Position at(long revision) {
        return new Position("h", revision);
    }

    private static StoreUpdate.Whole whole(Gap gap, long known, long revision, Item... items) {
        return StoreUpdate.Whole.of(gap, at(known), at(revision), List.of(items));
    }

    @Test
    void of_items_areKnownByTheirNames() {
        StoreUpdate.Part part = StoreUpdate.Part.of(at(5), List.of(item("a", 5)), List.of(key("b")));

        assertThat(part.changes())
                .containsOnly(Map.entry("a", Optional.of(item("a", 5))), Map.entry("b", Optional.empty()));
        assertThat(whole(Gap.NONE, 0, 5, item("a", 3), item("b", 4)).items())
                .containsOnly(Map.entry("a", item("a", 3)), Map.entry("b", item("b", 4)));
    }

    @Test
    void rewound_snapshot_isTheSameButForThat() {
        assertThat(whole(Gap.RESYNCED, 3, 5, item("a", 3)).rewound()).isEqualTo(whole(Gap.REWOUND, 3, 5, item("a", 3)));
    }

    @Test
    void then_changesAfterASnapshot_areInIt() {
        StoreUpdate both = whole(Gap.RESYNCED, 3, 5, item("a", 3), item("b", 4))
                .then(StoreUpdate.Part.of(at(6), List.of(item("c", 6), item("a", 6)), List.of(key("b"))));

        assertThat(both).isEqualTo(whole(Gap.RESYNCED, 3, 6, item("a", 6), item("c", 6)));
    }

    @Test
    void then_snapshotAfterASnapshot_isTheLaterWithTheWorseGap() {
        StoreUpdate.Whole resynced = whole(Gap.RESYNCED, 3, 5, item("a", 3));
        StoreUpdate.Whole rewound = whole(Gap.REWOUND, 4, 5, item("a", 3));
        StoreUpdate.Whole later = whole(Gap.RESYNCED, 5, 6, item("b", 6));

        assertThat(rewound.then(later)).isEqualTo(whole(Gap.REWOUND, 4, 6, item("b", 6)));
        assertThat(resynced.then(later)).isEqualTo(later);
        assertThat(resynced.then(whole(Gap.REWOUND, 5, 6, item("b", 6))))
                .isEqualTo(whole(Gap.REWOUND, 5, 6, item("b", 6)));
        assertThat(whole(Gap.NONE, 0, 5).then(later)).isEqualTo(later);
    }

    @Test
    void then_changesAfterChanges_areThoseOfBoth() {
        StoreUpdate both = StoreUpdate.Part.of(at(5), List.of(item("a", 5), item("b", 5)), List.of(key("c")))
                .then(StoreUpdate.Part.of(at(6), List.of(item("c", 6)), List.of(key("a"))));

        assertThat(both).isEqualTo(StoreUpdate.Part.of(at(6), List.of(item("b", 5), item("c", 6)), List.of(key("a"))));
    }

    @Test
    void then_snapshotAfterChanges_isTheSnapshot() {
        StoreUpdate.Whole later = whole(Gap.RESYNCED, 5, 6, item("b", 6));

        assertThat(StoreUpdate.Part.of(at(5), List.of(item("a", 5)), List.of()).then(later))
                .isEqualTo(later);
    }

    @Test
    void then_nothingNew_isTheOther() {
        StoreUpdate again = new StoreUpdate.Again();
        StoreUpdate part = StoreUpdate.Part.of(at(5), List.of(item("a", 5)), List.of());
        StoreUpdate whole = whole(Gap.RESYNCED, 3, 5, item("a", 3));

        assertThat(part.then(again)).isEqualTo(part);
        assertThat(whole.then(again)).isEqualTo(whole);
        assertThat(again.then(part)).isEqualTo(part);
        assertThat(again.then(whole)).isEqualTo(whole);
        assertThat(again.then(new StoreUpdate.Again())).isEqualTo(again);
    }
}
