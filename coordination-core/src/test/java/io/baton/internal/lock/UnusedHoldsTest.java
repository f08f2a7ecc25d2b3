package io.baton.internal.lock;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.LockOptions;
import io.baton.RecordKey;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class UnusedHoldsTest {

    private static final LockOptions OPTIONS =
            LockOptions.builder().holdAtLeast(Duration.ofHours(1)).build();
    private static final RecordKey LOCK = new RecordKey(DelayRecord.TREE, "orders");

    private final UnusedHolds holds = new UnusedHolds();

    private boolean isUnused(RecordKey lock, long token) {
        return holds.contain(lock, DelayRecord.granted(OPTIONS, token, 1));
    }

    @Test
    void contain_laterHoldIsOnRecord_doNot() {
        holds.add(LOCK, 7);

        assertThat(isUnused(LOCK, 7)).isTrue();
        assertThat(isUnused(LOCK, 8)).isFalse();
        assertThat(isUnused(new RecordKey(DelayRecord.TREE, "stock"), 7)).isFalse();
    }

    @Test
    void add_earlierHoldOfTheLockIsNotedLater_laterOneIsKnown() {
        holds.add(LOCK, 8);
        holds.add(LOCK, 7);

        assertThat(isUnused(LOCK, 8)).isTrue();
    }

    @Test
    void add_moreLocksThanAreKept_forgetsTheOldest() {
        holds.add(LOCK, 7);
        for (int i = 0; i < 1_000; i++) {
            holds.add(new RecordKey(DelayRecord.TREE, "order-" + i), 7);
        }

        assertThat(isUnused(LOCK, 7)).isFalse();
        assertThat(isUnused(new RecordKey(DelayRecord.TREE, "order-0"), 7)).isTrue();
    }
}
