package io.baton.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.SessionState;
import io.baton.config.ConfigEvent;
import io.baton.config.KeyChange;
import io.baton.tck.config.ConfigLog;
import io.baton.testkit.proxy.TcpProxy;
import io.baton.testkit.zookeeper.LocalZooKeeper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of a live configuration when its session or its server does not go on as before: it follows, and says so. */
@Timeout(120)
class ConfigRecoveryIT {

    private static final Duration TTL = Duration.ofSeconds(2);

    @TempDir
    private Path folder;

    private LocalZooKeeper server;
    private TcpProxy proxy;
    private Coordinator baton;
    private ConfigLog ours;

    @BeforeEach
    void follow() throws Exception {
        server = LocalZooKeeper.builder().data(folder.resolve("first")).start();
        proxy = TcpProxy.to(server.address());
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
        proxy.close();
        server.close();
    }

    @Test
    void server_stoppedAndRestarted_isFollowedOnAndNothingIsSetBack() throws Exception {
        server.stop();
        soon().until(() -> baton.state() == SessionState.SUSPENDED);
        server.restart();
        write("key", "two");

        soon().until(() -> ours.isAt(Map.of("key", "two")));
        assertThat(ours.changes("key")).containsExactly("one", "two");
        soon().untilAsserted(() ->
                assertThat(ours.events(ConfigEvent.Resynced.class)).isNotEmpty());
        assertThat(ours.events(ConfigEvent.Rewound.class)).isEmpty();
    }

    @Test
    void session_expired_isFollowedInTheNextAndTheDifferenceIsTold() throws Exception {
        proxy.refuse();
        proxy.cut();
        write("key", "two");
        write("other", "new");
        soon().until(() -> baton.state() == SessionState.LOST);
        proxy.accept();

        soon().until(() -> ours.isAt(Map.of("key", "two", "other", "new")));
        soon().untilAsserted(() -> assertThat(ours.events(ConfigEvent.Resynced.class))
                .anySatisfy(event -> assertThat(event.differences())
                        .containsExactlyInAnyOrder(change("key", "one", "two"), change("other", null, "new"))));
        assertThat(ours.events(ConfigEvent.Rewound.class)).isEmpty();
    }

    @Test
    void server_broughtBackWithOlderData_isFollowedAndToldAsRewound() throws Exception {
        server.stop();
        Path older = folder.resolve("older");
        copy(folder.resolve("first"), older);
        server.restart();
        write("key", "two");
        write("other", "new");
        soon().until(() -> ours.isAt(Map.of("key", "two", "other", "new")));

        replaceBy(older);

        soon().until(() -> ours.isAt(Map.of("key", "one")));
        soon().untilAsserted(() -> assertThat(ours.events(ConfigEvent.Rewound.class))
                .anySatisfy(event -> assertThat(event.differences())
                        .containsExactlyInAnyOrder(change("key", "two", "one"), change("other", "new", null))));
        write("key", "three");
        soon().until(() -> ours.isAt(Map.of("key", "three")));
    }

    @Test
    void server_replacedByAnEmptyOne_isFollowedAndToldAsRewound() throws Exception {
        replaceBy(folder.resolve("empty"));

        soon().until(() -> ours.isAt(Map.of()));
        soon().untilAsserted(() -> assertThat(ours.events(ConfigEvent.Rewound.class))
                .anySatisfy(event -> assertThat(event.differences()).containsExactly(change("key", "one", null))));
        write("key", "two");
        soon().until(() -> ours.isAt(Map.of("key", "two")));
    }

    private void replaceBy(Path data) {
        int port = server.port();
        server.close();
        server = LocalZooKeeper.builder().port(port).data(data).start();
    }

    private void write(String key, String text) throws Exception {
        try (Coordinator writer = Coordinator.connect(server.uri("app"))) {
            writer.records("config").put(key, text.getBytes(StandardCharsets.UTF_8));
        }
    }

    private static KeyChange change(String key, String before, String now) {
        return new KeyChange(key, Optional.ofNullable(before), Optional.ofNullable(now), false);
    }

    private static void copy(Path from, Path to) throws IOException {
        List<Path> all;
        try (Stream<Path> found = Files.walk(from)) {
            all = found.toList();
        }
        for (Path one : all) {
            Files.copy(one, to.resolve(from.relativize(one)));
        }
    }

    private static ConditionFactory soon() {
        return await().atMost(Duration.ofSeconds(30));
    }
}
