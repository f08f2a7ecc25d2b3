package io.baton.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.CoordinatorOptions;
import io.baton.Item;
import io.baton.Op;
import io.baton.Position;
import io.baton.RecordKey;
import io.baton.RecordsListener;
import io.baton.Subscription;
import io.baton.memory.MemoryStore;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Observing records in virtual time; callbacks run when the test says so. */
@Timeout(60)
class ObservationTest {

    private final MemoryStore store = MemoryStore.named(ObservationTest.class.getName());
    private final HandLoop loop = new HandLoop();
    private final Deque<Runnable> callbacks = new ArrayDeque<>();
    private final Client client = Client.start(store, loop, callbacks::add, CoordinatorOptions.defaults());
    private final Replica replica = new Replica();

    @AfterEach
    void drop() {
        MemoryStore.drop(ObservationTest.class.getName());
    }

    /** Keeps what it is told. */
    private static final class Replica implements RecordsListener {

        private final Map<String, String> values = new TreeMap<>();
        private final List<String> calls = new ArrayList<>();

        @Override
        public void snapshot(Map<String, Item> all, Position at) {
            calls.add("snapshot");
            values.clear();
            all.forEach((name, item) -> values.put(name, item.text()));
        }

        @Override
        public void changed(List<Item> put, List<String> gone, long revision) {
            calls.add("changed");
            put.forEach(item -> values.put(item.key().name(), item.text()));
            gone.forEach(values::remove);
        }
    }

    private void put(String name, String value) {
        client.transactAsync(List.of(), List.of(Op.put(new RecordKey("shop", name), value)));
        loop.run();
    }

    private void delete(String name) {
        client.transactAsync(List.of(), List.of(Op.delete(new RecordKey("shop", name))));
        loop.run();
    }

    private void runCallbacks() {
        loop.run();
        while (!callbacks.isEmpty()) {
            callbacks.remove().run();
            loop.run();
        }
    }

    @Test
    void observe_prefix_tellsASnapshotAndThenChangesOfThePrefixOnly() {
        put("stock/red", "1");
        put("price/red", "10");
        client.records("shop").observe("stock/", replica);
        runCallbacks();
        assertThat(replica.values).containsExactlyEntriesOf(Map.of("stock/red", "1"));

        put("stock/blue", "2");
        put("price/blue", "20");
        delete("stock/red");
        runCallbacks();

        assertThat(replica.values).containsExactlyEntriesOf(Map.of("stock/blue", "2"));
        assertThat(replica.calls).containsExactly("snapshot", "changed", "changed");
    }

    @Test
    void observe_slowListener_getsOneSnapshotInsteadOfAGrowingQueue() {
        client.records("shop").observe("", replica);
        runCallbacks();
        for (int i = 0; i <= Observation.MAX_PENDING; i++) {
            put("stock", "" + i);
        }
        runCallbacks();

        assertThat(replica.values).containsExactlyEntriesOf(Map.of("stock", "" + Observation.MAX_PENDING));
        assertThat(replica.calls).containsExactly("snapshot", "snapshot");
    }

    @Test
    void observe_sessionLost_tellsASnapshotInTheNextSession() {
        client.records("shop").observe("", replica);
        put("stock", "1");
        runCallbacks();
        replica.calls.clear();

        store.expireSessions();
        loop.pass(Duration.ofSeconds(1));
        runCallbacks();
        put("stock", "2");
        runCallbacks();

        assertThat(replica.calls).containsExactly("snapshot", "changed");
        assertThat(replica.values).containsExactlyEntriesOf(Map.of("stock", "2"));
    }

    @Test
    void observe_subscriptionClosed_tellsNothingMore() {
        Subscription subscription = client.records("shop").observe("", replica);
        runCallbacks();
        put("stock", "1");
        subscription.close();
        runCallbacks();
        put("stock", "2");
        runCallbacks();

        assertThat(replica.calls).containsExactly("snapshot");
    }
}
