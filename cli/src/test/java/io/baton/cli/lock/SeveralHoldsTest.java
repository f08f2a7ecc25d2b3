package io.baton.cli.lock;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.DistributedLock;
import io.baton.Hold;
import io.baton.HoldState;
import io.baton.Subscription;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SeveralHoldsTest {

    private static final List<String> NAMES = List.of("stock", "orders", "a");

    private Coordinator baton;
    private EvictionLookup evictions;
    private Map<String, Hold> each;
    private SeveralHolds holds;

    @BeforeEach
    void acquire() throws InterruptedException {
        baton = Coordinator.connect(
                "mem:several-holds", CoordinatorOptions.builder().client("ops").build());
        evictions = new EvictionLookup(baton, name -> baton.lock(name).lastEviction());
        holds = (SeveralHolds)
                Acquirable.all(NAMES, baton.multiLock(NAMES), evictions).acquire();
        each = holds.holds().holds();
    }

    @AfterEach
    void close() {
        baton.close();
    }

    @Test
    void token_ofSeveral_isInTheOrderOfTheCommandLine() {
        assertThat(each.keySet()).containsExactly("a", "orders", "stock");
        assertThat(holds.token()).isEqualTo(token("stock") + " " + token("orders") + " " + token("a"));
    }

    @Test
    void state_oneHasEnded_isThatOfAllAndTheNameSaysWhich() throws InterruptedException {
        assertThat(holds.state()).isEqualTo(HoldState.HELD);
        assertThat(holds.remaining()).isPositive();
        var ended = new CountDownLatch(1);
        Runnable listener = () -> {
            if (holds.state() == HoldState.RELEASED) {
                ended.countDown();
            }
        };
        try (Subscription listening = holds.onChange(listener)) {
            assertThat(listening).isNotNull();
            each.get("orders").close();
            assertThat(ended.await(30, SECONDS)).isTrue();
            assertThat(holds.state()).isEqualTo(HoldState.RELEASED);
            assertThat(holds.remaining()).isEqualTo(Duration.ZERO);
            assertThat(holds.name()).isEqualTo("orders");
            assertThat(holds.recall()).isEmpty();
        }
    }

    @Test
    void lossReason_oneIsEvicted_saysByWhomAndWhy() throws InterruptedException {
        assertThat(holds.lossReason()).isEmpty();
        DistributedLock orders = baton.lock("orders");
        assertThat(orders.evict(orders.queue().get(0), "it hangs")).isTrue();
        await().atMost(30, SECONDS).until(() -> holds.state() == HoldState.LOST);
        assertThat(holds.name()).isEqualTo("orders");
        assertThat(holds.lossReason()).contains("evicted by ops (it hangs)");
    }

    @Test
    void close_always_releasesAll() throws InterruptedException {
        holds.close();
        for (String name : NAMES) {
            try (Hold again = baton.lock(name).tryAcquire().orElseThrow()) {
                assertThat(again.remaining()).isPositive();
            }
        }
    }

    @Test
    void tryAcquire_oneIsTaken_holdsNone() throws InterruptedException {
        holds.close();
        try (Hold taken = baton.lock("orders").acquire()) {
            assertThat(Acquirable.all(NAMES, baton.multiLock(NAMES), evictions).tryAcquire(Duration.ZERO))
                    .isEmpty();
            assertThat(taken.remaining()).isPositive();
            assertThat(baton.lock("a").queue()).isEmpty();
        }
    }

    private String token(String name) {
        return Long.toString(each.get(name).token());
    }
}
