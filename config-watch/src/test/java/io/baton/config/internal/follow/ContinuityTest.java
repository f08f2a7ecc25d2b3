package io.baton.config.internal.follow;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.Position;
import org.junit.jupiter.api.Test;

class ContinuityTest {

    private static final Position NOWHERE = new Position("", 0);

    private static Continuity at(String history, long revision) {
        return Continuity.from(NOWHERE).to(new Position(history, revision));
    }

    @Test
    void gap_first_isNone() {
        assertThat(Continuity.from(NOWHERE).gap(new Position("h", 5))).isEqualTo(StoreUpdate.Gap.NONE);
        assertThat(Continuity.from(NOWHERE).gap(NOWHERE)).isEqualTo(StoreUpdate.Gap.NONE);
        assertThat(Continuity.from(new Position("h", 4)).gap(new Position("h", 5)))
                .isEqualTo(StoreUpdate.Gap.NONE);
    }

    @Test
    void gap_firstOfAnotherOrShorterHistoryThanBefore_isRewound() {
        assertThat(Continuity.from(new Position("h", 6)).gap(new Position("h", 5)))
                .isEqualTo(StoreUpdate.Gap.REWOUND);
        assertThat(Continuity.from(new Position("h", 4)).gap(new Position("g", 5)))
                .isEqualTo(StoreUpdate.Gap.REWOUND);
    }

    @Test
    void gap_laterInTheSameHistory_isResynced() {
        assertThat(at("h", 5).gap(new Position("h", 5))).isEqualTo(StoreUpdate.Gap.RESYNCED);
        assertThat(at("h", 5).gap(new Position("h", 9))).isEqualTo(StoreUpdate.Gap.RESYNCED);
    }

    @Test
    void gap_earlierOrAnotherHistory_isRewound() {
        assertThat(at("h", 5).gap(new Position("h", 4))).isEqualTo(StoreUpdate.Gap.REWOUND);
        assertThat(at("h", 5).gap(new Position("g", 50))).isEqualTo(StoreUpdate.Gap.REWOUND);
        assertThat(at("", 5).gap(new Position("", 4))).isEqualTo(StoreUpdate.Gap.REWOUND);
    }

    @Test
    void gap_treeIsGoneAsAWhole_isRewoundAndWhatIsMadeThereLaterIsNot() {
        assertThat(at("h", 5).gap(NOWHERE)).isEqualTo(StoreUpdate.Gap.REWOUND);
        assertThat(at("", 0).gap(new Position("h", 5))).isEqualTo(StoreUpdate.Gap.RESYNCED);
        assertThat(at("h", 5).to(NOWHERE).gap(new Position("g", 6))).isEqualTo(StoreUpdate.Gap.RESYNCED);
    }
}
