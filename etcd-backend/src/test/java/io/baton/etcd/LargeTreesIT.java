package io.baton.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Item;
import io.baton.Op;
import io.baton.Position;
import io.baton.RecordKey;
import io.baton.RecordsListener;
import io.baton.SessionState;
import io.baton.testkit.etcd.LocalEtcd;
import io.baton.testkit.proxy.TcpProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Trees of many records, and of large ones, on a real server. */
@Tag("etcd")
@Timeout(180)
class LargeTreesIT implements RecordsListener {

    private static final int MANY = 10_000;
    private static final int AT_ONCE = 100;
    private static final int MEGABYTE = 1_000_000;
    private static final CoordinatorOptions PATIENT =
            CoordinatorOptions.builder().ttl(Duration.ofSeconds(30)).build();

    private final Map<String, Integer> sizes = new ConcurrentSkipListMap<>();
    private final List<List<String>> batches = new CopyOnWriteArrayList<>();
    private final AtomicInteger snapshots = new AtomicInteger();
    private volatile long at;
    private LocalEtcd etcd;
    private TcpProxy proxy;
    private Coordinator writer;
    private Coordinator reader;

    @BeforeEach
    void start() throws InterruptedException {
        etcd = LocalEtcd.start();
        proxy = TcpProxy.to(etcd.address());
        writer = Coordinator.connect(etcd.uri("app"), PATIENT);
        reader = Coordinator.connect(etcd.uri(proxy, "app"), PATIENT);
    }

    @AfterEach
    void stop() {
        reader.close();
        writer.close();
        proxy.close();
        etcd.close();
    }

    @Override
    public void snapshot(Map<String, Item> all, Position position) {
        sizes.clear();
        all.forEach((name, item) -> sizes.put(name, item.value().length));
        at = position.revision();
        snapshots.incrementAndGet();
    }

    @Override
    public void changed(List<Item> put, List<String> gone, long revision) {
        put.forEach(item -> sizes.put(item.key().name(), item.value().length));
        gone.forEach(sizes::remove);
        batches.add(put.stream().map(item -> item.key().name()).sorted().toList());
        at = revision;
    }

    @Test
    void observe_tenThousandRecordsWhileOthersWrite_isOneSnapshotAndThenTheChanges() throws Exception {
        for (int i = 0; i < MANY; i += AT_ONCE) {
            var ops = new ArrayList<Op>();
            IntStream.range(i, i + AT_ONCE).forEach(number -> ops.add(put("k" + number, 1_000)));
            assertThat(writer.transact(List.of(), ops)).isTrue();
        }

        var unused = reader.records("tree").observe("", this);
        int more = 0;
        while (snapshots.get() == 0) {
            assertThat(writer.transact(List.of(), List.of(put("k0", more), put("k" + (MANY - 1), more))))
                    .isTrue();
            more++;
        }
        int last = more;
        assertThat(writer.transact(List.of(), List.of(put("k0", last), put("k" + (MANY - 1), last))))
                .isTrue();

        soon().until(() -> sizes.get("k0") == last);
        assertThat(sizes).hasSize(MANY);
        assertThat(snapshots).hasValue(1);
        assertThat(batches).allMatch(batch -> batch.equals(List.of("k0", "k9999")));
    }

    @Test
    void observe_largeRecords_areReadAndWatched() throws Exception {
        for (int i = 0; i < 5; i++) {
            assertThat(writer.transact(List.of(), List.of(put("k" + i, MEGABYTE + i))))
                    .isTrue();
        }
        var unused = reader.records("tree").observe("", this);
        soon().until(() -> snapshots.get() == 1);
        assertThat(sizes).hasSize(5).containsEntry("k4", MEGABYTE + 4);

        for (int i = 0; i < 5; i++) {
            assertThat(writer.transact(List.of(), List.of(put("k" + i, MEGABYTE + 10 + i))))
                    .isTrue();
        }

        soon().until(() -> batches.size() == 5);
        assertThat(sizes).containsEntry("k4", MEGABYTE + 14);
        assertThat(snapshots).hasValue(1);
    }

    @Test
    void observe_largeRecordsWhileOutOfContact_areToldInWholeTransactions() throws Exception {
        var unused = reader.records("tree").observe("", this);
        soon().until(() -> snapshots.get() == 1);
        proxy.refuse();
        proxy.cut();
        soon().until(() -> reader.state() == SessionState.SUSPENDED);
        for (int i = 0; i < 5; i++) {
            assertThat(writer.transact(List.of(), List.of(put("one", 700_000 + i))))
                    .isTrue();
            assertThat(writer.transact(List.of(), List.of(put("left", 700_000 + i), put("right", 700_000 + i))))
                    .isTrue();
        }

        proxy.accept();

        soon().until(() -> batches.size() == 10);
        for (int i = 0; i < 5; i++) {
            assertThat(batches.get(2 * i)).containsExactly("one");
            assertThat(batches.get(2 * i + 1)).containsExactly("left", "right");
        }
        assertThat(sizes).containsEntry("right", 700_004);
        assertThat(snapshots).hasValue(1);
    }

    private static Op put(String name, int size) {
        byte[] value = new byte[size];
        Arrays.fill(value, (byte) 'x');
        return Op.put(new RecordKey("tree", name), value);
    }

    private static ConditionFactory soon() {
        return await().atMost(Duration.ofSeconds(60));
    }
}
