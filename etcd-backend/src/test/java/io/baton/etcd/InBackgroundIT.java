package io.baton.etcd;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Item;
import io.baton.Position;
import io.baton.RecordsListener;
import io.baton.Secret;
import io.baton.SessionState;
import io.baton.StoreUnavailableException;
import io.baton.Telemetry;
import io.baton.spi.Store;
import io.baton.testkit.etcd.LocalEtcd;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Coordinators that do not wait for their servers. */
@Tag("etcd")
@Timeout(120)
class InBackgroundIT {

    private final List<Telemetry.SessionChange> changes = new CopyOnWriteArrayList<>();
    private final List<Map<String, Item>> snapshots = new CopyOnWriteArrayList<>();

    @Test
    void connect_serverComesUpLater_isConnectedAndToldASnapshot() throws Exception {
        try (LocalEtcd etcd = LocalEtcd.start()) {
            etcd.ctl().run("put", "/app/config/a", "one");
            etcd.kill();
            try (Coordinator baton = Coordinator.connect(etcd.uri("app"), options())) {
                var unused = baton.records("config").observe("", listener());
                assertThat(baton.state()).isEqualTo(SessionState.SUSPENDED);
                assertThatThrownBy(() -> baton.records("config").get("a"))
                        .isInstanceOf(StoreUnavailableException.class);
                assertThat(snapshots).isEmpty();

                etcd.restart();

                soon().until(() -> baton.state() == SessionState.CONNECTED);
                soon().until(() -> snapshots.size() == 1);
                assertThat(snapshots.get(0).get("a").text()).isEqualTo("one");
                baton.records("config").put("a", "two".getBytes(UTF_8));
            }
        }
    }

    @Test
    void connect_userRefused_theStateAndItsReasonTellAndItIsConnectedOnceThereIsSuchAUser() throws Exception {
        try (LocalEtcd etcd = LocalEtcd.builder().authentication().start()) {
            Store store = EtcdStore.builder(etcd.uri("app"))
                    .user("app", Secret.of("swordfish"))
                    .build();
            try (Coordinator baton = Coordinator.connect(store, options())) {
                var unused = baton.records("config").observe("", listener());

                soon().until(() -> baton.state() == SessionState.LOST);
                soon().untilAsserted(() -> assertThat(changes)
                        .extracting(Telemetry.SessionChange::why)
                        .contains("etcd refuses the user 'app' or its password"));
                assertThat(snapshots).isEmpty();

                etcd.addUser("app", "swordfish", "/app/");

                soon().until(() -> baton.state() == SessionState.CONNECTED);
                soon().until(() -> snapshots.size() == 1);
            }
        }
    }

    private CoordinatorOptions options() {
        return CoordinatorOptions.builder()
                .inBackground(true)
                .requestTimeout(Duration.ofMillis(100))
                .telemetry(new Telemetry() {
                    @Override
                    public void session(SessionChange change) {
                        changes.add(change);
                    }
                })
                .build();
    }

    private RecordsListener listener() {
        return new RecordsListener() {
            @Override
            public void snapshot(Map<String, Item> all, Position at) {
                snapshots.add(all);
            }

            @Override
            public void changed(List<Item> put, List<String> gone, long revision) {}
        };
    }

    private static ConditionFactory soon() {
        return await().atMost(Duration.ofSeconds(40));
    }
}
