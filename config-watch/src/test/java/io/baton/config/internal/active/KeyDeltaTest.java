package io.baton.config.internal.active;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.config.ConfigValue;
import io.baton.config.internal.record.Differences;
import io.baton.config.internal.record.FrozenMap;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What a listener of keys is told where several changes become one call. */
class KeyDeltaTest {

    private static Differences between(long before, long now) {
        return Differences.between(state(before), state(now));
    }

    private static FrozenMap<ConfigValue> state(long revision) {
        var value = new ConfigValue("a", "text" + revision, revision, false);
        return FrozenMap.copyOf(new TreeMap<>(Map.of("a", value)));
    }

    @Test
    void then_next_hasTheDifferencesOfBothAndTheLaterRevision() {
        KeyDelta both = new KeyDelta(between(1, 2), 2, false).then(new KeyDelta(between(2, 5), 5, true));

        assertThat(both).isEqualTo(new KeyDelta(between(1, 5), 5, false));
        assertThat(new KeyDelta(between(1, 2), 2, true)
                        .then(new KeyDelta(between(2, 5), 5, false))
                        .first())
                .isTrue();
    }

    @Test
    void isNothing_noDifferences_onlyIfItIsNotTheFirst() {
        assertThat(new KeyDelta(Differences.NONE, 2, false).isNothing()).isTrue();
        assertThat(new KeyDelta(Differences.NONE, 2, true).isNothing()).isFalse();
        assertThat(new KeyDelta(between(1, 2), 2, false).isNothing()).isFalse();
        assertThat(new KeyDelta(between(1, 2), 2, false)
                        .then(new KeyDelta(between(2, 1), 3, false))
                        .isNothing())
                .isTrue();
    }
}
