package io.baton.cli.lock;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.CoordinatorClosedException;
import io.baton.DistributedLock;
import io.baton.Hold;
import io.baton.QueueEntry;
import io.baton.SessionLostException;
import io.baton.cli.Exit;
import io.baton.cli.Failure;
import io.baton.cli.PlaceOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class LockWaitTest {

    @Test
    void run_evictedWhileWaiting_joinsTheLineAgain() throws Exception {
        try (Coordinator baton = Coordinator.connect("mem:lock-wait")) {
            DistributedLock lock = baton.lock("x");
            CompletableFuture<Held> waiting;
            try (Hold first = lock.acquire()) {
                Acquirable wanted = new ClaimOptions().wanted(baton, List.of("x"), new PlaceOption());
                waiting = CompletableFuture.supplyAsync(() -> acquired(wanted));
                await().atMost(30, SECONDS).until(() -> lock.queue().size() == 2);
                QueueEntry waiter = lock.queue().get(1);
                assertThat(lock.evict(waiter, "not now")).isTrue();
                await().atMost(30, SECONDS).until(() -> lock.queue().size() == 2);
                assertThat(lock.queue().get(1).token()).isGreaterThan(waiter.token());
                assertThat(first.remaining()).isPositive();
            }
            try (Held second = waiting.get(30, SECONDS)) {
                assertThat(second.remaining()).isPositive();
            }
        }
    }

    @Test
    void run_timeIsOverBeforeTheLineIsAsked_asksItOnce() throws Exception {
        try (Coordinator baton = Coordinator.connect("mem:late")) {
            Acquirable wanted = new ClaimOptions().wanted(baton, List.of("x"), new PlaceOption());
            try (Held held = new LockWait(noTime()).run(wanted)) {
                assertThat(held.remaining()).isPositive();
                assertNotAcquired(wanted, "gave up after 0s: 'x' is taken");
            }
        }
    }

    @Test
    void run_timeIsOverAndThePlaceIsLost_saysNothingOfTheLock() throws Exception {
        var wanted = new Acquirable(() -> "'x' is taken", LockWaitTest::losesItsPlace, time -> losesItsPlace());
        assertNotAcquired(wanted, "gave up after 0s: the place in line was lost");
    }

    private static <T> T losesItsPlace() {
        throw new SessionLostException("the session has ended");
    }

    @Test
    void run_coordinatorIsClosed_isNotTriedAgain() throws Exception {
        Coordinator baton = Coordinator.connect("mem:closed");
        Acquirable wanted = new ClaimOptions().wanted(baton, List.of("x"), new PlaceOption());
        baton.close();

        assertThatThrownBy(() -> new LockWait(null).run(wanted)).isInstanceOf(CoordinatorClosedException.class);
    }

    private static void assertNotAcquired(Acquirable wanted, String why) {
        assertThatThrownBy(() -> new LockWait(noTime()).run(wanted))
                .isInstanceOfSatisfying(
                        Failure.class, failure -> assertThat(failure.status()).isEqualTo(Exit.NOT_ACQUIRED))
                .hasMessage(why);
    }

    private static Patience noTime() {
        Patience patience = new Patience();
        patience.timeout = Duration.ZERO;
        return patience;
    }

    private static Held acquired(Acquirable wanted) {
        try {
            return new LockWait(null).run(wanted);
        } catch (InterruptedException unwanted) {
            throw new IllegalStateException(unwanted);
        }
    }
}
