package io.baton.config.internal.active;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.Position;
import io.baton.config.Bounds;
import io.baton.config.ConfigSource;
import io.baton.config.Rejection;
import io.baton.config.Rig;
import io.baton.config.internal.record.FrozenMap;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What is kept for the next start, and when it takes the place of what was kept before. */
class LastGoodTest {

    private final Bounds bounds = new Bounds(new Rig("lastgood"));
    private final Bound<Integer> a = bounds.number("a");
    private final Bound<Integer> b = bounds.number("b");
    private final ActiveConfig live = bounds.state("a", "1", "b", "1");

    private static LastGood kept(String... agreed) {
        return new LastGood(Optional.of(cached(Optional.of(new TreeSet<>(List.of(agreed))))));
    }

    private static Cached cached(Optional<TreeSet<String>> agreed) {
        return new Cached(
                "config",
                "",
                new Position("h", 5),
                1,
                "",
                Instant.EPOCH,
                agreed.map(names -> names),
                FrozenMap.empty());
    }

    @Test
    void keeps_nothingIsKept_takesTheFirst() {
        assertThat(new LastGood(Optional.empty()).keeps(live)).isTrue();
    }

    @Test
    void keeps_notAllIsBoundAgain_waits() {
        LastGood lastGood = kept("a", "b");

        assertThat(lastGood.keeps(live)).isFalse();
        assertThat(lastGood.keeps(live.with(a, 1))).isFalse();
        assertThat(lastGood.keeps(live.with(a, 1).with(b, 1))).isTrue();
    }

    @Test
    void keeps_startIsOver_takesItAnyway() {
        LastGood lastGood = kept("a", "b");
        assertThat(lastGood.isStarted()).isFalse();
        lastGood.started();
        assertThat(lastGood.isStarted()).isTrue();
        assertThat(lastGood.keeps(live.with(a, 1))).isTrue();
    }

    @Test
    void keeps_whoHasAgreedIsNotKnown_waitsForTheEndOfTheStart() {
        LastGood lastGood = new LastGood(Optional.of(cached(Optional.empty())));
        assertThat(lastGood.keeps(live.with(a, 1))).isFalse();
        lastGood.started();
        assertThat(lastGood.keeps(live.with(a, 1))).isTrue();
    }

    @Test
    void keeps_sameStateForTheSameBindings_onlyOnce() {
        LastGood lastGood = new LastGood(Optional.empty());
        assertThat(lastGood.keeps(live)).isTrue();
        assertThat(lastGood.keeps(live)).isFalse();
        assertThat(lastGood.keeps(live.with(a, 1))).isTrue();
        assertThat(lastGood.keeps(live.with(a, 1))).isFalse();
        ActiveConfig next = bounds.state("a", "1", "b", "1").with(a, 1);
        assertThat(lastGood.keeps(next)).isTrue();
    }

    @Test
    void keeps_notOfAllOrNotForAll_never() {
        LastGood lastGood = new LastGood(Optional.empty());
        lastGood.started();
        assertThat(lastGood.keeps(bounds.state(ConfigSource.LIVE, "c1", "a", "1")))
                .isFalse();
        assertThat(lastGood.keeps(bounds.state(ConfigSource.BUNDLED, ""))).isFalse();
        ActiveConfig ahead = live.with(a, 2, bounds.layers("a", "2"), new Rejection(8, 4, "b", "no"));
        assertThat(lastGood.keeps(ahead)).isFalse();
        assertThat(lastGood.keeps(bounds.state(ConfigSource.CACHED, "", "a", "1")))
                .isTrue();
    }
}
