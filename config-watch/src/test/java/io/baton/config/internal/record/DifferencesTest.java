package io.baton.config.internal.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.config.ConfigValue;
import io.baton.config.KeyChange;
import io.baton.config.internal.record.Differences.Difference;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What differs between two states, and that differences in a row come to what one does. */
class DifferencesTest {

    private static ConfigValue value(String key, String text, long revision) {
        return new ConfigValue(key, text, revision, false);
    }

    private static FrozenMap<ConfigValue> state(ConfigValue... values) {
        var all = new TreeMap<String, ConfigValue>();
        for (ConfigValue each : values) {
            all.put(each.key(), each);
        }
        return FrozenMap.copyOf(all);
    }

    private static Differences between(FrozenMap<ConfigValue> before, FrozenMap<ConfigValue> now) {
        return Differences.between(before, now);
    }

    @Test
    void between_putChangedAndGone_areTold() {
        Differences all = between(
                state(value("a", "1", 1), value("b", "1", 1), value("c", "1", 1), value("e", "1", 1)),
                state(value("b", "2", 2), value("c", "1", 1), value("d", "1", 2), value("e", "1", 2)));

        assertThat(all.shown())
                .containsExactly(
                        new KeyChange("a", Optional.of("1"), Optional.empty(), false),
                        new KeyChange("b", Optional.of("1"), Optional.of("2"), false),
                        new KeyChange("d", Optional.empty(), Optional.of("1"), false),
                        // Written anew: it may have been deleted in between.
                        new KeyChange("e", Optional.of("1"), Optional.of("1"), false));
        assertThat(all.isEmpty()).isFalse();
    }

    @Test
    void between_equalValues_nothing() {
        assertThat(between(state(value("a", "1", 1)), state(value("a", "1", 1))).isEmpty())
                .isTrue();
        assertThat(between(state(), state()).isEmpty()).isTrue();
        assertThat(Differences.NONE.isEmpty()).isTrue();
    }

    @Test
    void between_anotherTextOfTheSameRevision_isADifference() {
        // After a restore of the store.
        assertThat(between(state(value("a", "1", 1)), state(value("a", "2", 1))).isEmpty())
                .isFalse();
    }

    @Test
    void between_oneSideEndsFirst_theRestIsTold() {
        FrozenMap<ConfigValue> few = state(value("b", "1", 1));
        FrozenMap<ConfigValue> many =
                state(value("a", "1", 1), value("b", "1", 1), value("c", "1", 1), value("d", "1", 1));
        assertThat(between(few, many).byKey().keySet()).containsExactly("a", "c", "d");
        assertThat(between(many, few).byKey().keySet()).containsExactly("a", "c", "d");
        assertThat(between(state(), few).byKey().keySet()).containsExactly("b");
    }

    @Test
    void secret_beforeOrNow_countsForBoth() {
        ConfigValue open = value("a", "1", 1);
        ConfigValue secret = new ConfigValue("a", "2", 2, true);
        assertThat(between(state(secret), state(open)).byKey().get("a").secret())
                .isTrue();
        assertThat(between(state(open), state(secret)).byKey().get("a").secret())
                .isTrue();
        assertThat(between(state(), state(open)).byKey().get("a").secret()).isFalse();
        assertThat(between(state(secret), state()).byKey().get("a").secret()).isTrue();
    }

    @Test
    void secretAt_theseKeys_areSecretToo() {
        Differences all =
                between(state(), state(value("a", "1", 1), value("b", "1", 1), new ConfigValue("c", "1", 1, true)));
        Differences marked = all.secretAt(key -> key.equals("a"));
        assertThat(marked.byKey().get("a").secret()).isTrue();
        assertThat(marked.byKey().get("b").secret()).isFalse();
        assertThat(marked.byKey().get("c").secret()).isTrue();
        assertThat(marked.byKey().get("a").now()).contains(value("a", "1", 1));
        assertThat(marked.byKey().get("a").before()).isEmpty();
    }

    @Test
    void under_aPrefix_onlyThose() {
        Differences all = between(
                state(), state(value("a", "1", 1), value("b.x", "1", 1), value("b.y", "1", 1), value("c", "1", 1)));
        assertThat(all.under("b.").byKey().keySet()).containsExactly("b.x", "b.y");
        assertThat(all.under("").byKey().keySet()).hasSize(4);
        assertThat(all.under("d").isEmpty()).isTrue();
        assertThat(all.of("b.x").byKey().keySet()).containsExactly("b.x");
        assertThat(all.of("b").isEmpty()).isTrue();
        assertThat(Differences.NONE.under("b")).isSameAs(Differences.NONE);
    }

    @Test
    void then_backToWhatItWas_isLeftOut() {
        FrozenMap<ConfigValue> before = state(value("a", "1", 1));
        Differences away = between(before, state(value("a", "2", 2)));
        assertThat(away.then(between(state(value("a", "2", 2)), before)).isEmpty())
                .isTrue();
        assertThat(between(state(), before).then(between(before, state())).isEmpty())
                .isTrue();
    }

    @Test
    void then_secretInOneOfThem_isSecret() {
        ConfigValue secret = new ConfigValue("a", "1", 1, true);
        Differences shown = between(state(secret), state(value("a", "2", 2)));
        Differences both = shown.then(between(state(value("a", "2", 2)), state(value("a", "3", 3))));
        assertThat(both.byKey())
                .containsOnly(
                        Map.entry("a", new Difference(Optional.of(secret), Optional.of(value("a", "3", 3)), true)));
        Differences later = between(state(value("a", "0", 0)), state(secret));
        assertThat(between(state(value("a", "2", 2)), state(value("a", "0", 0)))
                        .then(later)
                        .byKey()
                        .get("a")
                        .secret())
                .isTrue();
    }

    @Test
    void then_anyInARow_comeToTheDifferenceOfTheFirstAndTheLast() {
        for (int seed = 0; seed < 300; seed++) {
            var random = new SplittableRandom(seed);
            FrozenMap<ConfigValue> first = anything(random, 0);
            FrozenMap<ConfigValue> last = first;
            Differences all = Differences.NONE;
            for (int i = 1; i < 5; i++) {
                FrozenMap<ConfigValue> next = anything(random, i);
                all = all.then(between(last, next));
                last = next;
            }
            assertThat(all).as("seed %d", seed).isEqualTo(between(first, last));
        }
    }

    private static FrozenMap<ConfigValue> anything(SplittableRandom random, int revision) {
        var values = new TreeMap<String, ConfigValue>();
        for (String key : List.of("a", "b", "c", "d")) {
            if (random.nextInt(3) > 0) {
                values.put(key, value(key, "1", random.nextInt(2) * revision));
            }
        }
        return FrozenMap.copyOf(values);
    }
}
