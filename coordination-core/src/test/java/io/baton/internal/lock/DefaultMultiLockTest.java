package io.baton.internal.lock;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.DistributedLock;
import io.baton.MultiHold;
import io.baton.memory.MemoryStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The time limit of several locks, by a clock that goes on by a second with each look at it. */
@Timeout(60)
class DefaultMultiLockTest {

    private static final String STORE = "multi-lock-test";
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final AtomicLong time = new AtomicLong();
    private Coordinator baton;
    private DistributedLock first;
    private DistributedLock second;

    @BeforeEach
    void connect() throws InterruptedException {
        baton = Coordinator.connect(
                "mem:" + STORE, CoordinatorOptions.builder().client("worker").build());
        first = baton.lock("a");
        second = baton.lock("b");
    }

    @AfterEach
    void drop() {
        baton.close();
        MemoryStore.drop(STORE);
    }

    private DefaultMultiLock of(DistributedLock... locks) {
        return new DefaultMultiLock(List.of(locks), () -> time.getAndAdd(SECOND.toNanos()), Duration.ofSeconds(30));
    }

    @Test
    void tryAcquire_timeIsOverAfterTheFirst_asksForNoOtherAndHoldsNone() throws InterruptedException {
        assertThat(of(first, second).tryAcquire(SECOND)).isEmpty();

        assertThat(first.queue()).isEmpty();
        assertThat(second.queue()).isEmpty();
    }

    @Test
    void tryAcquire_timeIsLeft_holdsAll() throws InterruptedException {
        try (MultiHold all =
                of(first, second).tryAcquire(SECOND.multipliedBy(20)).orElseThrow()) {
            assertThat(all.holds()).hasSize(2);
        }
    }

    @Test
    void tryAcquire_withoutTime_asksForEach() throws InterruptedException {
        for (Duration none : List.of(Duration.ZERO, SECOND.negated())) {
            try (MultiHold all = of(first, second).tryAcquire(none).orElseThrow()) {
                assertThat(all.holds()).hasSize(2);
            }
        }
    }

    @Test
    void tryAcquire_pauseBeforeTheFirst_isAskedForAllTheSame() throws InterruptedException {
        try (MultiHold all = of(first).tryAcquire(Duration.ofMillis(999)).orElseThrow()) {
            assertThat(all.holds()).hasSize(1);
        }
    }
}
