package io.baton.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.Hold;
import io.baton.HoldState;
import io.baton.Item;
import io.baton.Op;
import io.baton.RecordKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PriceListTest {

    @Test
    void publish_readersBeside_comeInWithTheNewPrices() throws InterruptedException {
        List<String> announced = new ArrayList<>();
        try (Coordinator here = Coordinator.connect("mem:prices");
                Coordinator there = Coordinator.connect("mem:prices")) {
            PriceList.publish(here, "tea 3", prices -> {
                announced.add(prices);
                try (Hold reader = there.readWriteLock("prices").read().acquire()) {
                    assertThat(reader.state()).isEqualTo(HoldState.HELD);
                    assertThat(there.records("prices").get("list").map(Item::text))
                            .contains("tea 3");
                    assertThat(there.readWriteLock("prices").write().tryAcquire())
                            .isEmpty();
                } catch (InterruptedException stopped) {
                    throw new AssertionError(stopped);
                }
            });
            assertThat(there.readWriteLock("prices").queue()).isEmpty();
        }
        assertThat(announced).containsExactly("tea 3");
    }

    @Test
    void upload_manyAtOnce_fiveAtATime() throws Exception {
        var now = new AtomicInteger();
        var most = new AtomicInteger();
        try (Coordinator baton = Coordinator.connect("mem:uploads")) {
            List<CompletableFuture<Void>> all = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                all.add(CompletableFuture.runAsync(() -> {
                    try {
                        PriceList.upload(baton, () -> {
                            most.accumulateAndGet(now.incrementAndGet(), Math::max);
                            now.decrementAndGet();
                        });
                    } catch (InterruptedException stopped) {
                        throw new AssertionError(stopped);
                    }
                }));
            }
            CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).get(30, TimeUnit.SECONDS);
        }
        assertThat(most.get()).isBetween(1, 5);
    }

    @Test
    void transfer_oneAccountIsLocked_waitsForIt() throws Exception {
        List<Op> booking = List.of(Op.put(new RecordKey("accounts", "a"), "90"));
        try (Coordinator here = Coordinator.connect("mem:accounts");
                Coordinator there = Coordinator.connect("mem:accounts")) {
            Hold taken = there.lock("b").acquire();
            var waiting = CompletableFuture.supplyAsync(() -> {
                try {
                    return PriceList.transfer(here, "b", "a", booking);
                } catch (InterruptedException stopped) {
                    throw new AssertionError(stopped);
                }
            });
            assertThat(there.records("accounts").get("a")).isEmpty();
            taken.close();
            assertThat(waiting.get(30, TimeUnit.SECONDS)).isTrue();
            assertThat(here.records("accounts").get("a").map(Item::text)).contains("90");
        }
    }

    @Test
    void takeOver_holderGivesWayOrIsDeaf_hasTheLockInTheEnd() throws Exception {
        try (Coordinator here = Coordinator.connect("mem:reindex");
                Coordinator there = Coordinator.connect("mem:reindex")) {
            var asked = new CountDownLatch(1);
            var steps = CompletableFuture.supplyAsync(() -> work(here, asked));
            asked.await();
            assertThat(PriceList.takeOver(there, Duration.ofSeconds(30))).isTrue();
            assertThat(steps.get(30, TimeUnit.SECONDS)).isLessThan(Integer.MAX_VALUE);

            Hold deaf = here.lock("reindex").acquire();
            assertThat(PriceList.takeOver(there, Duration.ofMillis(50))).isTrue();
            try (Hold hold = there.lock("reindex").acquire()) {
                assertThat(hold.token()).isGreaterThan(deaf.token());
                await().until(() -> deaf.state() == HoldState.LOST);
            }
        }
    }

    private static int work(Coordinator baton, CountDownLatch begun) {
        try {
            // As many steps as there can be: a request ends them, or nothing does.
            return PriceList.workInSteps(baton, Collections.nCopies(Integer.MAX_VALUE, begun::countDown));
        } catch (InterruptedException stopped) {
            throw new AssertionError(stopped);
        }
    }
}
