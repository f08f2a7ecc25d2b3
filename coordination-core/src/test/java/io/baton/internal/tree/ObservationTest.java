package io.baton.internal.tree;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.CoordinationException;
import io.baton.CoordinatorOptions;
import io.baton.Item;
import io.baton.Op;
import io.baton.Position;
import io.baton.RecordKey;
import io.baton.RecordsListener;
import io.baton.Subscription;
import io.baton.internal.HandLoop;
import io.baton.internal.client.DefaultCoordinator;
import io.baton.memory.MemoryStore;
import io.baton.spi.Session;
import io.baton.spi.SessionListener;
import io.baton.spi.SessionSpec;
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
    private final DefaultCoordinator client =
            DefaultCoordinator.start(store, loop, callbacks::add, CoordinatorOptions.defaults());
    private final Replica replica = new Replica();

    @AfterEach
    void drop() {
        MemoryStore.drop(ObservationTest.class.getName());
    }

    /** Keeps what it is told. */
    private static final class Replica implements RecordsListener {

        private final Map<String, String> values = new TreeMap<>();
        private final List<String> calls = new ArrayList<>();
        private final List<Position> positions = new ArrayList<>();

        @Override
        public void snapshot(Map<String, Item> all, Position at) {
            calls.add("snapshot");
            positions.add(at);
            values.clear();
            all.forEach((name, item) -> values.put(name, item.text()));
        }

        @Override
        public void changed(List<Item> put, List<String> gone, long revision) {
            calls.add("changed");
            positions.add(new Position(last().history(), revision));
            put.forEach(item -> values.put(item.key().name(), item.text()));
            gone.forEach(values::remove);
        }

        private Position last() {
            return positions.get(positions.size() - 1);
        }
    }

    private static RecordKey key(String name) {
        return new RecordKey("shop", name);
    }

    /** Where in the store's order the record was written. */
    private long order(String name) {
        Session reader = store.open(new SessionSpec(Duration.ofSeconds(10), "reader"), loop, new Deaf());
        var item = reader.get(key(name)).toCompletableFuture();
        loop.run();
        reader.close();
        loop.run();
        return item.join().orElseThrow().revision().order();
    }

    private static final class Deaf implements SessionListener {
        @Override
        public void connected() {}

        @Override
        public void suspended() {}

        @Override
        public void proven() {}

        @Override
        public void lost(CoordinationException why) {}
    }

    private void put(String name, String value) {
        var unused = client.transactAsync(List.of(), List.of(Op.put(new RecordKey("shop", name), value)));
        loop.run();
    }

    private void delete(String name) {
        var unused = client.transactAsync(List.of(), List.of(Op.delete(new RecordKey("shop", name))));
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
        var unused = client.records("shop").observe("stock/", replica);
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
        var unused = client.records("shop").observe("", replica);
        runCallbacks();
        for (int i = 0; i <= Observation.MAX_PENDING; i++) {
            put("stock", "" + i);
        }
        runCallbacks();

        assertThat(replica.values).containsExactlyEntriesOf(Map.of("stock", "" + Observation.MAX_PENDING));
        assertThat(replica.calls).containsExactly("snapshot", "snapshot");
    }

    @Test
    void observe_eachTelling_hasThePositionOfWhatItTells() {
        put("stock", "1");
        var unused = client.records("shop").observe("", replica);
        runCallbacks();
        assertThat(replica.last().revision()).isEqualTo(order("stock"));
        put("stock", "2");
        runCallbacks();
        assertThat(replica.last().revision()).isEqualTo(order("stock"));
        delete("stock");
        runCallbacks();

        assertThat(replica.positions)
                .hasSize(3)
                .extracting(Position::revision)
                .isSorted()
                .doesNotHaveDuplicates();
        assertThat(replica.positions).extracting(Position::history).containsOnly("mem");
    }

    @Test
    void observe_oneTransactionOverSeveral_isToldAtOnceWithOneRevision() {
        var unused = client.records("shop").observe("", replica);
        runCallbacks();
        put("a", "1");
        runCallbacks();
        var unusedWrite = client.transactAsync(
                List.of(), List.of(Op.put(key("b"), "2"), Op.delete(key("a")), Op.put(key("c"), "3")));
        runCallbacks();

        assertThat(replica.calls).containsExactly("snapshot", "changed", "changed");
        assertThat(replica.values).containsOnlyKeys("b", "c");
        assertThat(order("b")).isEqualTo(order("c")).isEqualTo(replica.last().revision());
    }

    @Test
    void observe_slowListenersSnapshot_hasThePositionOfTheLastChangeInIt() {
        var unused = client.records("shop").observe("stock", replica);
        runCallbacks();
        for (int i = 0; i <= Observation.MAX_PENDING; i++) {
            put("stock", "" + i);
        }
        put("price", "of another prefix");
        long last = order("stock");
        put("stock/again", "queued behind the snapshot");
        runCallbacks();

        assertThat(replica.calls).containsExactly("snapshot", "snapshot", "changed");
        assertThat(replica.positions.get(1)).isEqualTo(new Position("mem", last));
        assertThat(replica.last().revision()).isEqualTo(order("stock/again"));
    }

    @Test
    void observe_slowListenerAndANewSession_isToldTheNewestSnapshotOnly() {
        var unused = client.records("shop").observe("", replica);
        put("stock", "1");
        store.expireSessions();
        loop.pass(Duration.ofSeconds(1));
        put("stock", "2");
        runCallbacks();

        assertThat(replica.calls).containsExactly("snapshot", "changed");
        assertThat(replica.values).containsExactlyEntriesOf(Map.of("stock", "2"));
        assertThat(replica.last().revision()).isEqualTo(order("stock"));
    }

    @Test
    void observe_outOfContact_tellsASnapshotOfWhatChanged() {
        var unused = client.records("shop").observe("", replica);
        runCallbacks();
        put("stock", "1");
        runCallbacks();
        Position before = replica.last();
        store.suspend();
        store.resume();
        put("price", "2");
        runCallbacks();

        assertThat(replica.calls).containsExactly("snapshot", "changed", "snapshot");
        assertThat(replica.last().revision()).isGreaterThan(before.revision());
    }

    @Test
    void observe_sessionLost_tellsASnapshotInTheNextSession() {
        var unused = client.records("shop").observe("", replica);
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
