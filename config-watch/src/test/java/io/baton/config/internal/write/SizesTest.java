package io.baton.config.internal.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.config.ConfigException;
import io.baton.config.internal.record.HistoryRecord;
import io.baton.config.internal.record.TooLargeException;
import io.baton.spi.Guarantees;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What fits into one transaction. */
class SizesTest {

    @Test
    void parts_ops_eachChangedKeyTakesTwoAndAMarkOne() {
        SortedMap<String, HistoryRecord.Key> keys = new TreeMap<>();
        keys.put("a", new HistoryRecord.Key(null, "1", false));
        keys.put("b", new HistoryRecord.Key("1", "1", true));
        keys.put("c", new HistoryRecord.Key("1", null, false));

        // Four of each change, and one that is given.
        assertThat(parts(10, keys)).containsExactly(List.of("a", "b", "c"));
        assertThat(parts(9, keys)).containsExactly(List.of("a", "b"), List.of("c"));
        assertThat(parts(7, keys)).containsExactly(List.of("a"), List.of("b"), List.of("c"));
        assertThatThrownBy(() -> parts(6, keys))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("of more keys than this store takes");
        assertThat(parts(6, new TreeMap<>())).isEmpty();
    }

    private static List<List<String>> parts(int ops, SortedMap<String, HistoryRecord.Key> keys) {
        return new Sizes(limits(ops, 1_000_000), "config", 1, 0)
                .parts(keys).stream().map(List::copyOf).toList();
    }

    private static Guarantees limits(int ops, int bytes) {
        return Guarantees.ofQuorum(ops, bytes, Duration.ZERO);
    }

    @Test
    void parts_anyKeysAndLimits_fillEachAndFitIntoIt() {
        int several = 0;
        for (int seed = 0; seed < 2_000; seed++) {
            var random = new SplittableRandom(seed);
            SortedMap<String, HistoryRecord.Key> keys = new TreeMap<>();
            for (int i = random.nextInt(1, 6); i > 0; i--) {
                keys.put("k".repeat(random.nextInt(1, 9)), anything(random));
            }
            var sizes = new Sizes(
                    limits(random.nextInt(7, 14), random.nextInt(1_400, 3_000)), "config", 0, random.nextInt(100));
            List<SortedSet<String>> parts = sizes.parts(keys);
            several += parts.size() > 1 ? 1 : 0;

            SortedSet<String> all = new TreeSet<>();
            for (int i = 0; i < parts.size(); i++) {
                SortedMap<String, HistoryRecord.Key> part = only(keys, parts.get(i));
                assertThat(part).isNotEmpty();
                assertThat(sizes.haveRoom(part, Set.of())).as("seed %d", seed).isTrue();
                assertThat(all.isEmpty() || all.last().compareTo(part.firstKey()) < 0)
                        .isTrue();
                all.addAll(part.keySet());
                if (i + 1 < parts.size()) {
                    part.put(parts.get(i + 1).first(), keys.get(parts.get(i + 1).first()));
                    assertThat(sizes.haveRoom(part, Set.of()))
                            .as("seed %d", seed)
                            .isFalse();
                }
            }
            assertThat(all).isEqualTo(keys.keySet());
            if (parts.size() > 1) {
                assertThatThrownBy(() -> sizes.check(keys))
                        .isInstanceOf(TooLargeException.class)
                        .hasMessageContaining("its first " + parts.get(0).size() + " keys do");
            } else {
                sizes.check(keys);
            }
        }
        assertThat(several).isBetween(300, 1_700);
    }

    private static HistoryRecord.Key anything(SplittableRandom random) {
        String before = random.nextBoolean() ? "b".repeat(random.nextInt(100)) : null;
        String now = random.nextInt(3) > 0 ? "n".repeat(random.nextInt(100)) : before;
        return new HistoryRecord.Key(before, now, random.nextBoolean());
    }

    private static SortedMap<String, HistoryRecord.Key> only(
            SortedMap<String, HistoryRecord.Key> keys, SortedSet<String> these) {
        SortedMap<String, HistoryRecord.Key> some = new TreeMap<>(keys);
        some.keySet().retainAll(these);
        return some;
    }

    @Test
    void parts_bytesOfAKey_areThoseOfItsTextsAndOfItsPathTwice() {
        long plain = least("k", null, "1");
        // The text, and the same in the history.
        assertThat(least("k", null, "1" + "x".repeat(50)) - plain).isEqualTo(100);
        assertThat(least("k", "x".repeat(50), "1") - least("k", "", "1")).isEqualTo(50);
        // Of two bytes each.
        assertThat(least("k", null, "1" + "\u00e9".repeat(50)) - plain).isEqualTo(200);
        // In two paths, where an encoding may make three of each; and in the history.
        assertThat(least("k" + "x".repeat(50), null, "1") - plain).isEqualTo(50 * (2 * 3 + 1));
        // Nothing is written for a mark.
        assertThat(least("k", "1", "1")).isLessThan(least("k", "0", "1"));
    }

    /** How many bytes a store must take at least for this change. */
    private static long least(String key, @Nullable String before, @Nullable String now) {
        SortedMap<String, HistoryRecord.Key> keys = new TreeMap<>();
        keys.put(key, new HistoryRecord.Key(before, now, false));
        for (int bytes = 0; ; bytes++) {
            if (new Sizes(limits(100, bytes), "config", 0, 0).haveRoom(keys, Set.of())) {
                var sizes = new Sizes(limits(100, bytes - 1), "config", 0, 0);
                assertThatThrownBy(() -> sizes.parts(keys))
                        .isInstanceOf(ConfigException.class)
                        .hasMessageContaining("it takes " + bytes + " bytes");
                assertThat(new Sizes(limits(100, bytes), "config", 0, 0).parts(keys))
                        .hasSize(1);
                return bytes;
            }
        }
    }

    @Test
    void haveRoom_whatIsComparedOnly_takesAGuardAndItsPath() {
        SortedMap<String, HistoryRecord.Key> keys = new TreeMap<>();
        keys.put("k", new HistoryRecord.Key(null, "1", false));
        long least = least("k", null, "1");

        assertThat(new Sizes(limits(8, 1_000_000), "config", 0, 0).haveRoom(keys, Set.of("a", "b")))
                .isTrue();
        assertThat(new Sizes(limits(7, 1_000_000), "config", 0, 0).haveRoom(keys, Set.of("a", "b")))
                .isFalse();
        int more = (int) least + 2 * 100 + 3 * 3;
        assertThat(new Sizes(limits(100, more), "config", 0, 0).haveRoom(keys, Set.of("a", "bc")))
                .isTrue();
        assertThat(new Sizes(limits(100, more - 1), "config", 0, 0).haveRoom(keys, Set.of("a", "bc")))
                .isFalse();
        assertThat(new Sizes(limits(100, more), "config", 0, 1).haveRoom(keys, Set.of("a", "bc")))
                .isFalse();
        assertThat(new Sizes(limits(100, more + 100), "config", 1, 0).haveRoom(keys, Set.of("a", "bc")))
                .isTrue();
        assertThat(new Sizes(limits(100, more + 99), "config", 1, 0).haveRoom(keys, Set.of("a", "bc")))
                .isFalse();
    }
}
