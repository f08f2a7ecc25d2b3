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
import io.baton.OutcomeUnknownException;
import io.baton.Position;
import io.baton.Records;
import io.baton.RecordsListener;
import io.baton.SessionState;
import io.baton.StoreUnavailableException;
import io.baton.testkit.etcd.EtcdExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A server that is stopped where it is, and keeps its connections: every call ends, and says what is known. */
@Tag("etcd")
@Timeout(120)
class FrozenServerIT {

    @RegisterExtension
    static final EtcdExtension etcd = EtcdExtension.newest();

    private static final Duration LIMIT = Duration.ofSeconds(1);
    /** What a call may take beyond its limit, on a machine that has much to do. */
    private static final Duration GRACE = Duration.ofSeconds(5);

    private static final String ESTABLISHED = "01";

    private static final CoordinatorOptions IMPATIENT = CoordinatorOptions.builder()
            .ttl(Duration.ofSeconds(4))
            .requestTimeout(LIMIT)
            .closeTimeout(Duration.ofMillis(500))
            .build();

    @Test
    void connect_serverFrozen_saysWhichAddress() {
        etcd.server().freeze();

        var atOnce = CoordinatorOptions.builder().connectTimeout(LIMIT).build();
        assertThat(thrownInTime(() -> Coordinator.connect(etcd.uri(), atOnce)))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("127.0.0.1:" + etcd.server().port());
    }

    @Test
    void calls_serverFrozen_endWithWhatIsKnown() throws Exception {
        try (Coordinator baton = Coordinator.connect(etcd.uri(), IMPATIENT)) {
            Records records = baton.records("tree");
            records.put("key", new byte[] {1});
            Hold hold = baton.lock("held").acquire();
            etcd.server().freeze();

            assertThat(thrownInTime(() -> records.put("key", new byte[] {2})))
                    .isInstanceOf(OutcomeUnknownException.class);
            assertThat(thrownInTime(
                            () -> baton.transact(List.of(Guard.held(hold)), List.of(Op.put(records.key("key"), "3")))))
                    .isInstanceOf(CoordinationException.class);
            assertThat(thrownInTime(() -> records.get("key"))).isInstanceOf(StoreUnavailableException.class);
            assertThat(thrownInTime(() -> baton.lock("held").queue())).isInstanceOf(CoordinationException.class);
            assertThat(thrownInTime(() -> baton.lock("other").tryAcquire(Duration.ofMillis(300))))
                    .isInstanceOf(StoreUnavailableException.class);
            assertThat(thrownInTime(() -> baton.lock("other").tryAcquire()))
                    .isInstanceOf(StoreUnavailableException.class);
            await().atMost(10, SECONDS).until(() -> hold.state() == HoldState.LOST);
            assertThatThrownBy(() -> hold.ensureValid(Duration.ZERO)).isInstanceOf(CoordinationException.class);
            inTime(hold::close);
            inTime(baton::close);
        }
    }

    /** The coordinator has returned, and its session still has to give its connection up. */
    @Test
    @EnabledOnOs(OS.LINUX) // where connections can be counted
    void close_serverFrozenForLongerThanTheCloseTimeout_leavesNoConnection() throws Exception {
        Set<String> before = connections(); // of tests that are over, some of which may still end
        Coordinator baton = Coordinator.connect(etcd.uri(), IMPATIENT);
        assertThat(before.containsAll(connections())).isFalse();
        etcd.server().freeze();

        inTime(baton::close);

        await().atMost(60, SECONDS)
                .untilAsserted(() -> assertThat(connections()).isSubsetOf(before));
    }

    /** The local addresses of the connections to the server that are open. */
    private static Set<String> connections() throws IOException {
        String port = ":%04X".formatted(etcd.server().port());
        Set<String> open = new HashSet<>();
        for (String table : List.of("/proc/net/tcp", "/proc/net/tcp6")) {
            Files.readAllLines(Path.of(table)).stream()
                    .map(line -> line.trim().split(" +"))
                    .filter(words -> words[2].endsWith(port) && words[3].equals(ESTABLISHED))
                    .forEach(words -> open.add(words[1]));
        }
        return open;
    }

    @Test
    void hold_serverFrozenForLessThanTheTimeout_isInJeopardyAndThenHeld() throws Exception {
        try (Coordinator baton = Coordinator.connect(
                        etcd.uri(),
                        CoordinatorOptions.builder().ttl(Duration.ofSeconds(20)).build());
                Hold hold = baton.lock("held").acquire()) {
            etcd.server().freeze();
            await().atMost(20, SECONDS).until(() -> baton.state() == SessionState.SUSPENDED);
            assertThat(hold.state()).isEqualTo(HoldState.JEOPARDY);
            etcd.server().wake();

            await().atMost(20, SECONDS).until(() -> hold.state() == HoldState.HELD);
        }
    }

    @Test
    void observe_begunWhileFrozen_isToldOnceTheServerWakes() throws Exception {
        try (Coordinator baton = Coordinator.connect(etcd.uri(), IMPATIENT)) {
            baton.records("tree").put("key", "value".getBytes(UTF_8));
            Map<String, String> seen = new ConcurrentHashMap<>();
            etcd.server().freeze();
            inTime(() -> baton.records("tree").observe("", into(seen)));
            await().atMost(20, SECONDS).until(() -> baton.state() != SessionState.CONNECTED);
            assertThat(seen).isEmpty();
            etcd.server().wake();

            await().atMost(20, SECONDS).until(() -> seen.equals(Map.of("key", "value")));
        }
    }

    private static RecordsListener into(Map<String, String> seen) {
        return new RecordsListener() {
            @Override
            public void snapshot(Map<String, Item> all, Position at) {
                seen.clear();
                all.forEach((name, item) -> seen.put(name, item.text()));
            }

            @Override
            public void changed(List<Item> put, List<String> gone, long revision) {
                put.forEach(item -> seen.put(item.key().name(), item.text()));
                gone.forEach(seen::remove);
            }
        };
    }

    private static Throwable thrownInTime(ThrowingCallable call) {
        long before = System.nanoTime();
        Throwable thrown = catchThrowable(call);
        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(LIMIT.plus(GRACE));
        return thrown;
    }

    private static void inTime(ThrowingCallable call) {
        assertThat(thrownInTime(call)).isNull();
    }
}
