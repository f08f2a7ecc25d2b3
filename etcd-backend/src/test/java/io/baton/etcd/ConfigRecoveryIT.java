package io.baton.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.SessionState;
import io.baton.config.ConfigEvent;
import io.baton.config.KeyChange;
import io.baton.tck.config.ConfigLog;
import io.baton.testkit.etcd.LocalEtcd;
import io.baton.testkit.proxy.TcpProxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of a live configuration when its session or its server does not go on as before: it follows, and says so. */
@Tag("etcd")
@Timeout(120)
class ConfigRecoveryIT {

    private static final Duration TTL = Duration.ofSeconds(3);

    @TempDir
    private Path folder;

    private LocalEtcd server;
    private TcpProxy proxy;
    private Coordinator baton;
    private Coordinator writer;
    private ConfigLog ours;

    @BeforeEach
    void follow() throws Exception {
        server = LocalEtcd.start();
        proxy = TcpProxy.to(server.address());
        writer = Coordinator.connect(server.uri("app"));
        write("key", "one");
        baton = Coordinator.connect(
                server.uri(proxy, "app"), CoordinatorOptions.builder().ttl(TTL).build());
        ours = ConfigLog.follow(baton);
        soon().until(() -> ours.isAt(Map.of("key", "one")));
    }

    @AfterEach
    void stop() {
        ours.close();
        baton.close();
        writer.close();
        proxy.close();
        server.close();
    }

    @Test
    @Tag("long")
    void server_killedAndRestarted_isFollowedOnWithoutAGap() throws Exception {
        server.kill();
        soon().until(() -> baton.state() != SessionState.CONNECTED && writer.state() != SessionState.CONNECTED);
        server.restart();
        soon().until(() -> writer.state() == SessionState.CONNECTED);
        write("key", "two");

        soon().until(() -> ours.isAt(Map.of("key", "two")));
        assertThat(ours.changes("key")).containsExactly("one", "two");
        assertThat(ours.events(ConfigEvent.Rewound.class)).isEmpty();
    }

    @Test
    void space_compactedWhileOutOfContact_isFollowedAndTheDifferenceIsTold() throws Exception {
        lose();
        writeTwo();
        server.compact();
        proxy.accept();

        soon().until(() -> ours.isAt(Map.of("key", "two", "other", "new")));
        expectResynced();
    }

    @Test
    @Tag("long")
    void session_expired_isFollowedInTheNext() throws Exception {
        lose();
        writeTwo();
        soon().until(() -> server.leases().size() == 1); // the writer's
        proxy.accept();

        soon().until(() -> ours.isAt(Map.of("key", "two", "other", "new")));
        expectResynced();
    }

    @Test
    void server_restoredFromAnOlderBackup_isFollowedAndToldAsRewound() throws Exception {
        Path backup = folder.resolve("backup");
        server.backUp(backup);
        for (int i = 0; i < 100; i++) { // more than the clients write before both have come back
            writer.records("elsewhere").put("key", "value".getBytes(StandardCharsets.UTF_8));
        }
        writeTwo();
        soon().until(() -> ours.isAt(Map.of("key", "two", "other", "new")));

        server.restore(backup, LocalEtcd.TOKEN);

        soon().until(() -> ours.isAt(Map.of("key", "one")));
        soon().untilAsserted(() -> assertThat(ours.events(ConfigEvent.Rewound.class))
                .anySatisfy(event -> assertThat(event.differences())
                        .containsExactlyInAnyOrder(change("key", "two", "one"), change("other", "new", null))));
        soon().until(() -> writer.state() == SessionState.CONNECTED);
        write("key", "three");
        soon().until(() -> ours.isAt(Map.of("key", "three")));
    }

    @Test
    @Tag("long")
    void server_replacedByAnotherClusterWithTheSameData_isToldAsRewound() throws Exception {
        Path backup = folder.resolve("backup");
        server.backUp(backup);

        server.restore(backup, "another");

        soon().untilAsserted(
                        () -> assertThat(ours.events(ConfigEvent.Rewound.class)).isNotEmpty());
        soon().until(() -> writer.state() == SessionState.CONNECTED);
        write("key", "two");
        soon().until(() -> ours.isAt(Map.of("key", "two")));
    }

    private void expectResynced() {
        soon().untilAsserted(() -> assertThat(ours.events(ConfigEvent.Resynced.class))
                .anySatisfy(event -> assertThat(event.differences())
                        .containsExactlyInAnyOrder(change("key", "one", "two"), change("other", null, "new"))));
        assertThat(ours.events(ConfigEvent.Rewound.class)).isEmpty();
    }

    private void lose() {
        proxy.refuse();
        proxy.cut();
        soon().until(() -> baton.state() == SessionState.SUSPENDED);
    }

    private void writeTwo() throws Exception {
        write("key", "two");
        write("other", "new");
    }

    private void write(String key, String text) throws Exception {
        writer.records("config").put(key, text.getBytes(StandardCharsets.UTF_8));
    }

    private static KeyChange change(String key, String before, String now) {
        return new KeyChange(key, Optional.ofNullable(before), Optional.ofNullable(now), false);
    }

    private static ConditionFactory soon() {
        return await().atMost(Duration.ofSeconds(30));
    }
}
