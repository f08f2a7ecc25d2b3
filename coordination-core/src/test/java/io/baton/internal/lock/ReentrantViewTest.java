package io.baton.internal.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Hold;
import io.baton.HoldState;
import io.baton.LockLostException;
import io.baton.LockView;
import io.baton.internal.Eventually;
import io.baton.internal.Threads;
import io.baton.memory.MemoryStore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
@SuppressWarnings("LockNotBeforeTry") // what is tested is the locking itself
class ReentrantViewTest {

    private static final String STORE = "reentrant-view-test";
    private static final String LINE = "locks/orders";

    private final MemoryStore store = MemoryStore.named(STORE);
    private Coordinator baton;
    private LockView lock;

    @BeforeEach
    void connect() throws InterruptedException {
        baton = Coordinator.connect("mem:" + STORE, CoordinatorOptions.defaults());
        lock = baton.lock("orders").asLock();
    }

    @AfterEach
    void drop() {
        baton.close();
        MemoryStore.drop(STORE);
    }

    @Test
    void lock_nested_sharesOneHold() throws InterruptedException {
        lock.lock();
        Hold hold = lock.current().orElseThrow();
        lock.lockInterruptibly();
        assertThat(lock.tryLock()).isTrue();
        assertThat(lock.tryLock(1, TimeUnit.SECONDS)).isTrue();

        assertThat(lock.current()).containsSame(hold);
        assertThat(store.peers(LINE)).hasSize(1);
        lock.unlock();
        lock.unlock();
        lock.unlock();
        assertThat(hold.state()).isEqualTo(HoldState.HELD);
        lock.unlock();

        assertThat(hold.state()).isEqualTo(HoldState.RELEASED);
        assertThat(lock.current()).isEmpty();
        assertThat(store.peers(LINE)).isEmpty();
    }

    @Test
    void lock_nestedOnALostHold_throws() throws InterruptedException {
        lock.lock();
        store.expireSessions();
        Eventually.holds(() -> lock.current().orElseThrow().state() == HoldState.LOST);

        assertThatThrownBy(() -> lock.lock()).isInstanceOf(LockLostException.class);
        assertThatThrownBy(() -> lock.tryLock()).isInstanceOf(LockLostException.class);
        lock.unlock();

        lock.lock();
        assertThat(lock.current().orElseThrow().state()).isEqualTo(HoldState.HELD);
        lock.unlock();
    }

    @Test
    void tryLock_otherThreadHolds_isFalse() throws Exception {
        lock.lock();

        assertThat(Threads.start(() -> lock.tryLock()).result().get()).isFalse();
        assertThat(Threads.start(() -> lock.tryLock(10, TimeUnit.MILLISECONDS))
                        .result()
                        .get())
                .isFalse();

        lock.unlock();
        assertThat(Threads.start(() -> lock.tryLock()).result().get()).isTrue();
    }

    @Test
    void unlock_notTheOwner_throws() throws Exception {
        lock.lock();

        assertThatThrownBy(Threads.start(() -> {
                            lock.unlock();
                            return true;
                        })
                        .result()::get)
                .hasCauseInstanceOf(IllegalMonitorStateException.class);

        lock.unlock();
        assertThatThrownBy(() -> lock.unlock()).isInstanceOf(IllegalMonitorStateException.class);
    }

    @Test
    void lock_interruptedWhileWaiting_keepsItsPlaceAndTheInterrupt() throws Exception {
        lock.lock();
        Threads.Started<Boolean> waiting = Threads.start(() -> {
            lock.lock();
            boolean interrupted = Thread.interrupted();
            lock.unlock();
            return interrupted;
        });
        Eventually.holds(() -> store.peers(LINE).size() == 2);
        var place = store.peers(LINE).get(1);

        waiting.thread().interrupt();
        // A second waiter's joining shows that the first one has been through its loop and kept its place.
        Threads.Started<Boolean> second = Threads.start(() -> lock.tryLock(30, TimeUnit.SECONDS));
        Eventually.holds(() -> store.peers(LINE).size() == 3);
        assertThat(store.peers(LINE).get(1)).isEqualTo(place);
        lock.unlock();

        assertThat(waiting.result().get()).isTrue();
        assertThat(second.result().get()).isTrue();
    }

    @Test
    void lockInterruptibly_interrupted_throws() throws Exception {
        lock.lock();
        Threads.Started<Boolean> waiting = Threads.start(() -> {
            lock.lockInterruptibly();
            return true;
        });
        Eventually.holds(() -> store.peers(LINE).size() == 2);

        waiting.thread().interrupt();

        assertThatThrownBy(waiting.result()::get).hasCauseInstanceOf(InterruptedException.class);
        Eventually.holds(() -> store.peers(LINE).size() == 1);
    }

    @Test
    void newCondition_always_isNotSupported() {
        assertThatThrownBy(() -> lock.newCondition()).isInstanceOf(UnsupportedOperationException.class);
    }
}
