package io.baton.internal.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.Coordinator;
import io.baton.CoordinatorClosedException;
import io.baton.CoordinatorOptions;
import io.baton.Hold;
import io.baton.HoldState;
import io.baton.Item;
import io.baton.Position;
import io.baton.RecordsListener;
import io.baton.SessionState;
import io.baton.StoreUnavailableException;
import io.baton.internal.Eventually;
import io.baton.internal.Threads;
import io.baton.memory.MemoryStore;
import io.baton.spi.Guarantees.Survival;
import io.baton.spi.Store;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ConnectorTest {

    private static final String STORE = "connector-test";
    private static final String URI = "mem:" + STORE;
    private static final String CLIENT = "connector-test-client";

    private final CoordinatorOptions options =
            CoordinatorOptions.builder().client(CLIENT).build();

    @AfterEach
    void drop() throws InterruptedException {
        MemoryStore.drop(STORE);
        Eventually.holds(() -> Threads.named("baton-" + CLIENT).isEmpty());
    }

    private static CoordinatorOptions hasty() {
        return CoordinatorOptions.builder()
                .client(CLIENT)
                .connectTimeout(Duration.ofMillis(50))
                .closeTimeout(Duration.ofMillis(50))
                .build();
    }

    @Test
    void connect_storeThere_isConnected() throws InterruptedException {
        try (Coordinator baton = Coordinator.connect(URI, options)) {
            assertThat(baton.state()).isEqualTo(SessionState.CONNECTED);
            assertThat(baton.guarantees().acknowledged()).isEqualTo(Survival.QUORUM);
        }
    }

    @Test
    void connect_noContact_namesTheStoreAndLeavesNothing() {
        MemoryStore.named(STORE).suspend();

        assertThatThrownBy(() -> Coordinator.connect(URI, hasty()))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContainingAll(URI, "50 ms");
    }

    @Test
    void connect_noCoordinatorCanBeMade_failsAndLeavesNothing() {
        var broken = new IllegalStateException("no guarantees");
        Store store = (Store) Proxy.newProxyInstance(
                ConnectorTest.class.getClassLoader(), new Class<?>[] {Store.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("toString")) {
                        return URI;
                    }
                    throw broken;
                });

        assertThatThrownBy(() -> Coordinator.connect(store, options)).isSameAs(broken);
    }

    @Test
    void connect_inBackgroundAndNoContact_returnsAtOnceAndTellsASnapshotOnceThereIs() throws InterruptedException {
        MemoryStore.named(STORE).suspend();
        List<Position> snapshots = new CopyOnWriteArrayList<>();
        try (Coordinator baton = Coordinator.connect(URI, inBackground())) {
            assertThat(baton.state()).isEqualTo(SessionState.SUSPENDED);
            assertThat(baton.guarantees().acknowledged()).isEqualTo(Survival.QUORUM);
            var unused = baton.records("shop").observe("", snapshots(snapshots));
            CompletableFuture<Hold> asked = baton.lock("orders").acquireAsync();
            assertThatThrownBy(() -> baton.records("shop").get("x")).isInstanceOf(StoreUnavailableException.class);
            assertThat(snapshots).isEmpty();

            MemoryStore.named(STORE).resume();

            Eventually.holds(() -> baton.state() == SessionState.CONNECTED);
            Eventually.holds(() -> snapshots.size() == 1);
            asked.join().close();
        }
    }

    @Test
    void connect_inBackgroundAndClosedWithoutContact_leavesNothing() throws InterruptedException {
        MemoryStore.named(STORE).suspend();

        Coordinator.connect(URI, inBackground()).close();
    }

    @Test
    void connect_inBackgroundAndTimingsThatCannotWork_saysWhyAndLeavesNothing() {
        CoordinatorOptions impossible = CoordinatorOptions.builder()
                .client(CLIENT)
                .inBackground(true)
                .ttl(Duration.ofMillis(1))
                .strictTtl(true)
                .build();

        assertThatThrownBy(() -> Coordinator.connect(URI, impossible))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("ttl");
    }

    private static CoordinatorOptions inBackground() {
        return CoordinatorOptions.builder()
                .client(CLIENT)
                .inBackground(true)
                .requestTimeout(Duration.ofMillis(50))
                .closeTimeout(Duration.ofSeconds(1))
                .build();
    }

    private static RecordsListener snapshots(List<Position> told) {
        return new RecordsListener() {
            @Override
            public void snapshot(Map<String, Item> all, Position at) {
                told.add(at);
            }

            @Override
            public void changed(List<Item> put, List<String> gone, long revision) {}
        };
    }

    @Test
    void connect_ttlTooShort_isRaisedToWhatTheStoreCanDo() throws InterruptedException {
        CoordinatorOptions hopeful = CoordinatorOptions.builder()
                .client(CLIENT)
                .ttl(Duration.ofMillis(1))
                .build();

        try (Coordinator baton = Coordinator.connect(URI, hopeful)) {
            assertThat(baton.ttl()).isEqualTo(Duration.ofMillis(250));
        }
    }

    @Test
    void connect_timingsThatCannotWork_saysWhyAndLeavesNothing() {
        CoordinatorOptions impossible = CoordinatorOptions.builder()
                .client(CLIENT)
                .ttl(Duration.ofMillis(1))
                .strictTtl(true)
                .build();

        assertThatThrownBy(() -> Coordinator.connect(URI, impossible))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("ttl");
    }

    @Test
    void connect_unknownScheme_saysWhichAreKnown() {
        assertThatThrownBy(() -> Coordinator.connect("redis://localhost", options))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("mem");
    }

    @Test
    void connect_interrupted_leavesNothing() {
        MemoryStore.named(STORE).suspend();
        Threads.Started<Coordinator> connecting = Threads.start(() -> Coordinator.connect(URI, options));

        connecting.thread().interrupt();

        assertThatThrownBy(connecting.result()::get)
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(InterruptedException.class);
    }

    @Test
    void close_holdsAndWaiters_leavesNoThread() throws Exception {
        Coordinator baton = Coordinator.connect(URI, options);
        Hold hold = baton.lock("orders").acquire();
        hold.onState(state -> {});
        Threads.Started<Hold> waiting = Threads.start(() -> baton.lock("orders").acquire());
        CompletableFuture<Hold> asking = baton.lock("orders").acquireAsync();
        Eventually.holds(() -> MemoryStore.named(STORE).peers("locks/orders").size() == 3);

        baton.close();
        baton.close();

        assertThatThrownBy(waiting.result()::get).hasCauseInstanceOf(CoordinatorClosedException.class);
        assertThatThrownBy(asking::get).hasCauseInstanceOf(CoordinatorClosedException.class);
        assertThat(MemoryStore.named(STORE).sessions()).isEmpty();
        hold.close();
        assertThatThrownBy(() -> baton.lock("orders").acquire()).isInstanceOf(CoordinatorClosedException.class);
        assertThatThrownBy(() -> baton.records("shop").get("x")).isInstanceOf(CoordinatorClosedException.class);
    }

    @Test
    void onState_closed_isToldSo() throws InterruptedException {
        Coordinator baton = Coordinator.connect(URI, options);
        Hold hold = baton.lock("orders").acquire();
        baton.close();
        List<Object> states = new CopyOnWriteArrayList<>();

        baton.onState(states::add);
        hold.onState(states::add);

        Eventually.holds(() -> states.size() == 2);
        assertThat(states).containsExactlyInAnyOrder(SessionState.CLOSED, HoldState.RELEASED);
    }

    @Test
    void close_insideACallback_doesNotWaitForItself() throws InterruptedException {
        CoordinatorOptions patient = CoordinatorOptions.builder()
                .client(CLIENT)
                .closeTimeout(Duration.ofDays(1))
                .build();
        Coordinator baton = Coordinator.connect(URI, patient);
        CountDownLatch closed = new CountDownLatch(1);

        baton.onState(state -> {
            baton.close();
            closed.countDown();
        });

        closed.await();
        Eventually.holds(() -> baton.state() == SessionState.CLOSED);
    }

    @Test
    void close_hungListener_isInterrupted() throws InterruptedException {
        CoordinatorOptions impatient = CoordinatorOptions.builder()
                .client(CLIENT)
                .closeTimeout(Duration.ofMillis(50))
                .build();
        Coordinator baton = Coordinator.connect(URI, impatient);
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        baton.onState(state -> {
            started.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException end) {
                interrupted.countDown();
            }
        });
        started.await();

        baton.close();

        interrupted.await();
    }
}
