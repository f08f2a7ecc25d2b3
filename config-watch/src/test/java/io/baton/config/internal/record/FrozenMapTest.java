package io.baton.config.internal.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class FrozenMapTest {

    @Test
    void with_anyChanges_isWhatATreeMapWouldBe() {
        for (int seed = 0; seed < 100; seed++) {
            Random random = new Random(seed);
            SortedMap<String, Integer> model = new TreeMap<>();
            FrozenMap<Integer> map = FrozenMap.empty();
            for (int step = 0; step < 20; step++) {
                SortedMap<String, Optional<Integer>> changes = changes(random);
                FrozenMap<Integer> before = map;
                Map<String, Integer> copy = Map.copyOf(before);
                map = map.with(changes);
                changes.forEach(
                        (key, value) -> value.ifPresentOrElse(now -> model.put(key, now), () -> model.remove(key)));

                assertThat(before).isEqualTo(copy);
                same(map, model);
                same(FrozenMap.copyOf(model), model);
                String prefix = "k" + random.nextInt(4);
                same(map.startingWith(prefix), model.subMap(prefix, prefix + Character.MAX_VALUE));
                same(map.tailMap(prefix), model.tailMap(prefix));
                same(map.headMap(prefix), model.headMap(prefix));
                same(map.subMap("k1", "k3"), model.subMap("k1", "k3"));
                same(
                        ((FrozenMap<Integer>) map.tailMap("k2"))
                                .with(Map.of("k25", Optional.of(5)).entrySet().stream()
                                        .collect(
                                                TreeMap::new,
                                                (all, each) -> all.put(each.getKey(), each.getValue()),
                                                TreeMap::putAll)),
                        with(model.tailMap("k2"), "k25", 5));
            }
        }
    }

    private static SortedMap<String, Integer> with(SortedMap<String, Integer> map, String key, int value) {
        SortedMap<String, Integer> more = new TreeMap<>(map);
        more.put(key, value);
        return more;
    }

    private static SortedMap<String, Optional<Integer>> changes(Random random) {
        SortedMap<String, Optional<Integer>> changes = new TreeMap<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            String key = "k" + random.nextInt(40);
            changes.put(key, random.nextInt(3) == 0 ? Optional.empty() : Optional.of(random.nextInt()));
        }
        return changes;
    }

    private static void same(SortedMap<String, Integer> map, SortedMap<String, Integer> model) {
        assertThat(map).isEqualTo(model).hasSize(model.size());
        assertThat(map.keySet()).containsExactlyElementsOf(model.keySet());
        model.forEach((key, value) -> assertThat(map.get(key)).isEqualTo(value));
        assertThat(map.get("none")).isNull();
        assertThat(map.containsKey("none")).isFalse();
        if (model.isEmpty()) {
            assertThatThrownBy(map::firstKey).isInstanceOf(NoSuchElementException.class);
        } else {
            assertThat(map.firstKey()).isEqualTo(model.firstKey());
            assertThat(map.lastKey()).isEqualTo(model.lastKey());
        }
    }

    @Test
    void put_isRefused() {
        assertThatThrownBy(() -> FrozenMap.<Integer>empty().put("a", 1))
                .isInstanceOf(UnsupportedOperationException.class);
    }
}
