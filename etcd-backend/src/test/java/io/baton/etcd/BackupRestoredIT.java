package io.baton.etcd;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.baton.CoordinationException;
import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Guard;
import io.baton.Hold;
import io.baton.HoldState;
import io.baton.Item;
import io.baton.Op;
import io.baton.Position;
import io.baton.Records;
import io.baton.RecordsListener;
import io.baton.SessionLostException;
import io.baton.SessionState;
import io.baton.testkit.etcd.LocalEtcd;
import io.baton.testkit.proxy.TcpProxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server that comes back with an earlier backup: whoever has seen more of the store trusts nothing of before. */
@Tag("etcd")
@Timeout(120)
class BackupRestoredIT {

    private static final CoordinatorOptions PATIENT =
            CoordinatorOptions.builder().ttl(Duration.ofSeconds(30)).build();

    private static final CoordinatorOptions SHORT =
            CoordinatorOptions.builder().ttl(Duration.ofSeconds(2)).build();

    @TempDir
    private Path folder;

    private LocalEtcd etcd;
    private Coordinator baton;
    private Path backup;

    @BeforeEach
    void start() throws InterruptedException {
        etcd = LocalEtcd.start();
        baton = Coordinator.connect(etcd.uri("app"), PATIENT);
        backup = folder.resolve("backup");
    }

    @AfterEach
    void stop() {
        baton.close();
        etcd.close();
    }

    @Test
    @Tag("long")
    void hold_olderThanTheBackup_isLostAllTheSame() throws Exception {
        Hold hold = baton.lock("orders").acquire();
        CompletableFuture<Throwable> lost = new CompletableFuture<>();
        hold.onLost(() -> lost.complete(catchThrowable(() -> hold.ensureValid(Duration.ZERO))));
        etcd.backUp(backup);
        writeMore();

        etcd.restore(backup, LocalEtcd.TOKEN);

        assertThat(lost.get(30, SECONDS)).hasStackTraceContaining("store rewound");
        assertThat(hold.state()).isEqualTo(HoldState.LOST);
        assertThat(write(hold)).isFalse();
        // The old session's entry is not anybody's any more, and must not block the line until its lease ends.
        soon().until(() -> baton.state() == SessionState.CONNECTED);
        assertThat(baton.lock("orders").tryAcquire(Duration.ofSeconds(10))).isPresent();
    }

    @Test
    void hold_youngerThanTheBackup_isLost() throws Exception {
        etcd.backUp(backup);
        writeMore();
        Hold hold = baton.lock("orders").acquire();

        etcd.restore(backup, LocalEtcd.TOKEN);

        soon().until(() -> hold.state() == HoldState.LOST);
        assertThat(write(hold)).isFalse();
    }

    @Test
    @Tag("long")
    void hold_anotherClusterAtTheSameAddress_isLost() throws Exception {
        Hold hold = baton.lock("orders").acquire();
        CompletableFuture<Throwable> lost = new CompletableFuture<>();
        hold.onLost(() -> lost.complete(catchThrowable(() -> hold.ensureValid(Duration.ZERO))));
        etcd.backUp(backup);

        etcd.restore(backup, "another");

        assertThat(lost.get(30, SECONDS)).hasStackTraceContaining("store replaced");
        assertThat(hold.state()).isEqualTo(HoldState.LOST);
        soon().until(() -> baton.state() == SessionState.CONNECTED);
        // The backup has the entry, and its lease has the whole time left.
        assertThat(baton.lock("orders").tryAcquire(Duration.ofMillis(100))).isEmpty();
    }

    /** In the new cluster nobody holds: the backup is older than the hold. */
    @Test
    void waiters_anotherClusterAtTheSameAddress_oneThatRejoinsIsGrantedAndTheOtherLearnsOfTheEndOfItsSession()
            throws Exception {
        etcd.backUp(backup);
        var rejoining = CoordinatorOptions.builder()
                .ttl(Duration.ofSeconds(30))
                .rejoin(true)
                .build();
        try (Coordinator patient = Coordinator.connect(etcd.uri("app"), rejoining)) {
            var unused = baton.lock("orders").acquire();
            CompletableFuture<Hold> granted = patient.lock("orders").acquireAsync();
            CompletableFuture<Hold> failed = baton.lock("orders").acquireAsync();
            soon().until(() -> baton.lock("orders").queue().size() == 3);

            etcd.restore(backup, "another");

            assertThat(granted.get(40, SECONDS).state()).isEqualTo(HoldState.HELD);
            assertThatThrownBy(() -> failed.get(40, SECONDS))
                    .hasCauseInstanceOf(SessionLostException.class)
                    .hasStackTraceContaining("store replaced");
        }
    }

    @Test
    @Tag("long")
    void observe_storeSetBack_startsAnewFromWhatThereIs() throws Exception {
        Records records = baton.records("tree");
        records.put("a", "one".getBytes(UTF_8));
        Map<String, String> seen = new ConcurrentHashMap<>();
        List<Position> positions = new CopyOnWriteArrayList<>();
        var unused = records.observe("", into(seen, positions));
        etcd.backUp(backup);
        writeMore();
        soon().until(() -> "later 19".equals(seen.get("b")));
        long known = positions.get(positions.size() - 1).revision();

        etcd.restore(backup, LocalEtcd.TOKEN);

        soon().until(() -> !seen.containsKey("b"));
        soon().until(() -> baton.state() == SessionState.CONNECTED);
        records.put("a", "two".getBytes(UTF_8));
        soon().until(() -> seen.equals(Map.of("a", "two")));
        assertThat(records.get("b")).isEmpty();
        List<Position> snapshots =
                positions.stream().filter(at -> !at.history().isEmpty()).toList();
        assertThat(snapshots.get(1).history()).isEqualTo(snapshots.get(0).history());
        assertThat(snapshots.get(1).revision()).isLessThan(known);
    }

    @Test
    @Tag("long")
    void observe_anotherClusterAtTheSameAddress_isToldOfAnotherHistory() throws Exception {
        Records records = baton.records("tree");
        records.put("a", "one".getBytes(UTF_8));
        Map<String, String> seen = new ConcurrentHashMap<>();
        List<Position> positions = new CopyOnWriteArrayList<>();
        var unused = records.observe("", into(seen, positions));
        soon().until(() -> positions.size() == 1);
        etcd.backUp(backup);

        etcd.restore(backup, "another");

        soon().until(() -> positions.size() == 2);
        assertThat(positions.get(1).history()).isNotEqualTo(positions.get(0).history());
        assertThat(seen).isEqualTo(Map.of("a", "one"));
    }

    @Test
    void observe_storeSetBackWhileOutOfContactToBeforeTheSession_startsAnewAtAnEarlierPosition() throws Exception {
        try (TcpProxy proxy = TcpProxy.to(etcd.address());
                Coordinator reader = Coordinator.connect(etcd.uri(proxy, "app"), SHORT)) {
            baton.records("tree").put("a", "one".getBytes(UTF_8));
            etcd.backUp(backup);
            writeMore();
            Map<String, String> seen = new ConcurrentHashMap<>();
            List<Position> positions = new CopyOnWriteArrayList<>();
            var unused = reader.records("tree").observe("", into(seen, positions));
            soon().until(() -> positions.size() == 1);
            proxy.refuse();
            proxy.cut();

            etcd.restore(backup, LocalEtcd.TOKEN);
            proxy.accept();

            soon().until(() -> seen.equals(Map.of("a", "one")));
            Position last = positions.get(positions.size() - 1);
            assertThat(last.history()).isEqualTo(positions.get(0).history());
            assertThat(last.revision()).isLessThan(positions.get(0).revision());
        }
    }

    private void writeMore() throws InterruptedException {
        for (int i = 0; i < 20; i++) {
            baton.records("tree").put("b", ("later " + i).getBytes(UTF_8));
        }
    }

    private boolean write(Hold hold) throws InterruptedException {
        try {
            return baton.transact(
                    List.of(Guard.held(hold)), List.of(Op.put(baton.records("t").key("by"), "it")));
        } catch (CoordinationException refusedHere) {
            return false;
        }
    }

    private static ConditionFactory soon() {
        return await().atMost(Duration.ofSeconds(40));
    }

    /** A change's position has no history. */
    private static RecordsListener into(Map<String, String> seen, List<Position> positions) {
        return new RecordsListener() {
            @Override
            public void snapshot(Map<String, Item> all, Position at) {
                seen.clear();
                all.forEach((name, item) -> seen.put(name, item.text()));
                positions.add(at);
            }

            @Override
            public void changed(List<Item> put, List<String> gone, long revision) {
                put.forEach(item -> seen.put(item.key().name(), item.text()));
                gone.forEach(seen::remove);
                positions.add(new Position("", revision));
            }
        };
    }
}
