package io.baton.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.DistributedLock;
import io.baton.Hold;
import io.baton.HoldState;
import io.baton.Item;
import io.baton.Op;
import io.baton.QueueEntry;
import io.baton.RecordKey;
import io.baton.Released;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
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
            assertThat(PriceList.takeOver(there.lock("reindex"), Duration.ofSeconds(30)))
                    .isTrue();
            assertThat(steps.get(30, TimeUnit.SECONDS)).isLessThan(Integer.MAX_VALUE);

            Hold deaf = here.lock("reindex").acquire();
            assertThat(PriceList.takeOver(there.lock("reindex"), Duration.ofMillis(50)))
                    .isTrue();
            try (Hold hold = there.lock("reindex").acquire()) {
                assertThat(hold.token()).isGreaterThan(deaf.token());
                await().until(() -> deaf.state() == HoldState.LOST);
            }
        }
    }

    @Test
    void takeOver_holderGoesAfterItsTime_theNextOneKeepsTheLock() throws Exception {
        try (Coordinator here = Coordinator.connect("mem:reindex-next");
                Coordinator there = Coordinator.connect("mem:reindex-next");
                Coordinator operator = Coordinator.connect("mem:reindex-next")) {
            Hold deaf = here.lock("reindex").acquire();
            CompletableFuture<Hold> next = there.lock("reindex").acquireAsync();
            await().until(() -> operator.lock("reindex").queue().size() == 2);
            DistributedLock lock = onceUnanswered(operator.lock("reindex"), () -> {
                deaf.close();
                return next.get(30, TimeUnit.SECONDS);
            });

            assertThat(PriceList.takeOver(lock, Duration.ofMillis(50))).isFalse();

            try (Hold hold = next.get(30, TimeUnit.SECONDS)) {
                assertThat(operator.lock("reindex").queue())
                        .extracting(QueueEntry::token)
                        .containsExactly(hold.token());
            }
        }
    }

    /** The lock, on which this happens between the end of the time for an answer and the next call. */
    private static DistributedLock onceUnanswered(DistributedLock lock, Callable<Hold> then) {
        return (DistributedLock) Proxy.newProxyInstance(
                PriceListTest.class.getClassLoader(),
                new Class<?>[] {DistributedLock.class},
                (proxy, method, arguments) -> {
                    Object result = method.invoke(lock, arguments);
                    if (method.getName().equals("requestRelease")) {
                        var answer = (Released) ((CompletableFuture<?>) result).get(30, TimeUnit.SECONDS);
                        assertThat(answer.outcome()).isEqualTo(Released.Outcome.UNANSWERED);
                        assertThat(then.call()).isNotNull();
                    }
                    return result;
                });
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
