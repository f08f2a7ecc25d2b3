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
}
