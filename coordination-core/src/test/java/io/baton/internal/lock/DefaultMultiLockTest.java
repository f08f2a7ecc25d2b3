package io.baton.internal.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.DistributedLock;
import io.baton.Hold;
import io.baton.HoldState;
import io.baton.LockLostException;
import io.baton.MultiHold;
import io.baton.StoreUnavailableException;
import io.baton.memory.MemoryStore;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
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

    /** The lock; this is done to the store right after it was granted, and leads to this state. */
    private DistributedLock breaking(
            DistributedLock lock, Consumer<MemoryStore> fault, HoldState leadsTo, List<Hold> granted) {
        return (DistributedLock) Proxy.newProxyInstance(
                DefaultMultiLockTest.class.getClassLoader(),
                new Class<?>[] {DistributedLock.class},
                (own, call, with) -> {
                    if (!call.getName().equals("tryAcquire")) {
                        return call.invoke(lock, with);
                    }
                    Hold hold = lock.tryAcquire((Duration) with[0]).orElseThrow();
                    granted.add(hold);
                    var broken = new CountDownLatch(1);
                    hold.onState(state -> {
                        if (state == leadsTo) {
                            broken.countDown();
                        }
                    });
                    fault.accept(MemoryStore.named(STORE));
                    assertThat(broken.await(30, TimeUnit.SECONDS)).isTrue();
                    return Optional.of(hold);
                });
    }

    /** The break may be what used up the time. */
    @Test
    void tryAcquire_timeIsOverAfterTheFirstAndTheStoreIsOutOfReach_saysSoAndHoldsNone() {
        List<Hold> granted = new ArrayList<>();
        var both = new DefaultMultiLock(
                List.of(breaking(first, MemoryStore::suspend, HoldState.JEOPARDY, granted), second),
                () -> time.getAndAdd(SECOND.toNanos()),
                Duration.ofMillis(1));

        assertThatThrownBy(() -> both.tryAcquire(SECOND))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("out of reach")
                .hasMessageContaining("lock 'b'");

        assertThat(granted).singleElement().extracting(Hold::state).isEqualTo(HoldState.RELEASED);
        MemoryStore.named(STORE).resume();
    }

    @Test
    void tryAcquire_timeIsOverAfterTheFirstAndThatIsLost_saysSo() {
        List<Hold> granted = new ArrayList<>();
        var both = new DefaultMultiLock(
                List.of(breaking(first, MemoryStore::expireSessions, HoldState.LOST, granted), second),
                () -> time.getAndAdd(SECOND.toNanos()),
                Duration.ofSeconds(30));

        assertThatThrownBy(() -> both.tryAcquire(SECOND)).isInstanceOf(LockLostException.class);
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
