package io.baton.config.internal.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class KeptTest {

    @Test
    void with_manyChanges_isShortAndRightInAll() {
        var random = new SplittableRandom(7);
        var sizes = new ArrayDeque<Long>();
        Kept kept = Kept.NOTHING;
        for (int i = 0; i < 5_000; i++) {
            long size = random.nextInt(20) == 0 ? random.nextLong(500_000, 1_000_000) : random.nextLong(100, 1_000);
            sizes.add(size);
            kept = kept.with(size);
            if (random.nextInt(3) == 0) {
                sizes.remove();
                kept = kept.withoutOldest();
            }
            assertThat(kept.blocks().size()).isLessThanOrEqualTo(100);
            assertThat(kept.changes()).isEqualTo(sizes.size());
        }
        long sum = sizes.stream().mapToLong(each -> each).sum();
        assertThat(kept.bytes()).isBetween(sum - sum / 20, sum + sum / 20);
    }

    @Test
    void withoutOldest_fewChanges_isExact() {
        Kept kept = Kept.NOTHING.with(5).with(7).with(11);

        assertThat(kept.bytes()).isEqualTo(23);
        assertThat(kept.withoutOldest().bytes()).isEqualTo(18);
        assertThat(kept.withoutOldest().withoutOldest().withoutOldest()).isEqualTo(Kept.NOTHING);
    }

    @Test
    void with_oneMoreThanAreCountedOneByOne_theSmallestTwoInARowAreTogether() {
        Kept kept = Kept.NOTHING;
        for (int i = 0; i < 100; i++) {
            kept = kept.with(i == 40 || i == 41 ? 5 : 10);
        }
        assertThat(kept.blocks()).hasSize(100);

        Kept more = kept.with(10);

        assertThat(more.blocks()).hasSize(100);
        assertThat(more.blocks().get(40)).isEqualTo(new Kept.Block(2, 10));
        assertThat(more.changes()).isEqualTo(101);
        assertThat(more.bytes()).isEqualTo(1_000);
    }

    @Test
    void with_allOfOneSize_theOldestTwoAreTogether() {
        Kept kept = Kept.NOTHING;
        for (int i = 0; i < 101; i++) {
            kept = kept.with(10);
        }

        assertThat(kept.blocks().get(0)).isEqualTo(new Kept.Block(2, 20));
        assertThat(kept.withoutOldest().blocks().get(0)).isEqualTo(new Kept.Block(1, 10));
        assertThat(kept.withoutOldest().bytes()).isEqualTo(1_000);
    }
}
