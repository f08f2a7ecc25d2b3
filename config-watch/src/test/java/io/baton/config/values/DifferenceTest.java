package io.baton.config.values;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.config.ConfigValue;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** In which first names one state of the store differs from another. */
class DifferenceTest {

    private static final List<String> NAMES = List.of("a", "b", "c", "d", "e");

    /** The names in which they differ, compared from the beginning. */
    private static Set<String> differing(SortedMap<String, ConfigValue> before, SortedMap<String, ConfigValue> now) {
        Layers former = Bundled.builder().build().with(before);
        var difference = new Difference(former, null);
        var names = new TreeSet<>(NAMES);
        names.removeIf(name -> difference.noneOf(name, now, former));
        assertThat(difference.noneOf("", now, former)).isEqualTo(names.isEmpty());
        return names;
    }

    private static SortedMap<String, ConfigValue> store(String... keysAndTexts) {
        return Given.store(keysAndTexts);
    }

    @Test
    void noneOf_addedChangedOrGone_areTheirFirstNames() {
        SortedMap<String, ConfigValue> before = store("a", "1", "b.x", "1", "c.x", "1", "d", "1");

        assertThat(differing(before, store("a", "1", "b.x", "1", "c.x", "1", "d", "1")))
                .isEmpty();
        assertThat(differing(before, store("a", "1", "b.x", "2", "c.x", "1", "d", "1")))
                .containsExactly("b");
        assertThat(differing(store("b", "1"), store("b", "1", "a.x", "1", "c", "1")))
                .containsExactly("a", "c");
        assertThat(differing(store("b", "1", "a.x", "1", "c", "1"), store("b", "1")))
                .containsExactly("a", "c");
        assertThat(differing(store("b", "1"), store())).containsExactly("b");
        assertThat(differing(store(), store("b", "1"))).containsExactly("b");
        assertThat(differing(before, before)).isEmpty();
    }

    @Test
    void noneOf_severalGoneInARow_leaveTheOthers() {
        assertThat(differing(store("d", "1", "a", "1", "b.x", "1", "b.y", "1", "e", "1"), store("d", "1", "e", "2")))
                .containsExactly("a", "b", "e");
        assertThat(differing(store("c", "1", "a", "1"), store("c", "1", "b", "1")))
                .containsExactly("a", "b");
    }

    @Test
    void noneOf_pathBelowAFirstName_dependsOnAllOfIt() {
        Layers before = Given.layers("a.x", "1", "ab", "1");
        var difference = new Difference(before, null);
        SortedMap<String, ConfigValue> now = store("a.x", "2", "ab", "1");

        // A document at the first name, or another spelling, may say something of each path below.
        assertThat(difference.noneOf("a.y.z", now, before)).isFalse();
        assertThat(difference.noneOf("a", now, before)).isFalse();
        assertThat(difference.noneOf("ab.x", now, before)).isTrue();
    }

    @Test
    void noneOf_nameThatIsEmpty_isAName() {
        Layers before = Given.layers(".x", "1");

        assertThat(new Difference(before, null).noneOf(".y", store(".x", "2"), before))
                .isFalse();
        assertThat(new Difference(before, List.of(".x")).noneOf(".y", store(".x", "2"), before))
                .isFalse();
    }

    @Test
    void noneOf_changedKeysAreGiven_theyAreTakenForIt() {
        Layers former = Given.layers("a", "1", "b", "1");
        SortedMap<String, ConfigValue> now = store("a", "1", "b", "2");
        var given = new Difference(former, List.of("a.x", "c"));

        assertThat(given.noneOf("a", now, former)).isFalse();
        assertThat(given.noneOf("c", now, former)).isFalse();
        assertThat(given.noneOf("b", now, former)).isTrue();
        assertThat(new Difference(former, List.of()).noneOf("", now, former)).isTrue();
    }

    @Test
    void noneOf_comparedWithOthersThanTheFormer_isFoundOut() {
        Layers former = Given.layers("a", "1", "b", "1");
        Layers others = Given.layers("a", "2", "b", "1");
        SortedMap<String, ConfigValue> now = store("a", "1", "b", "2");
        var given = new Difference(former, List.of("b"));

        assertThat(given.noneOf("a", now, others)).isFalse();
        assertThat(given.noneOf("a", now, former)).isTrue();
        assertThat(new Difference(null, null).noneOf("a", now, others)).isFalse();
    }

    @Test
    void noneOf_foundOutOnce_isKept() {
        Layers former = Given.layers("a", "1", "b", "1");
        var difference = new Difference(former, null);

        assertThat(difference.noneOf("a", store("a", "1", "b", "2"), former)).isTrue();
        // It is of one state of the store, so another one is not looked at.
        assertThat(difference.noneOf("a", store("a", "2", "b", "2"), former)).isTrue();
    }
}
