package consumer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Hold;
import io.baton.config.ConfigStore;
import io.baton.config.LiveConfig;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ApplicationContext;

/** The service starts with its actuator, and what it uses works on the versions that it gets. */
@SpringBootTest
class ApplicationTest {

    /** On a busy machine, the classes of a store take a while. */
    private static final CoordinatorOptions PATIENT =
            CoordinatorOptions.builder().connectTimeout(Duration.ofMinutes(1)).build();

    record Limits(int sessions) {}

    @Autowired
    ApplicationContext context;

    @Test
    void lock_inMemory_isMeasuredBesideTheActuator() throws Exception {
        assertTrue(context.containsBean("healthEndpoint"));
        try (Hold hold = context.getBean(Coordinator.class).lock("orders").acquire()) {
            assertFalse(hold.remaining().isZero());
        }
        MeterRegistry meters = context.getBean(MeterRegistry.class);
        await().until(() -> !meters.find("baton.lock.wait").timers().isEmpty());
    }

    @ParameterizedTest
    @ValueSource(strings = {"ZOOKEEPER_STORE", "ETCD_STORE"})
    void lock_onARealStore_isHeld(String store) throws Exception {
        try (Coordinator baton = Coordinator.connect(System.getenv(store), PATIENT);
                Hold hold = baton.lock("orders").acquire()) {
            assertFalse(hold.remaining().isZero());
        }
    }

    @Test
    void configuration_isRead() throws Exception {
        Coordinator baton = context.getBean(Coordinator.class);
        ConfigStore.of(baton).edit().put("limits.yaml", "sessions: 7").commit();
        try (LiveConfig config = LiveConfig.builder(baton).open()) {
            assertEquals(7, config.binding("limits", Limits.class).bind().get().sessions());
        }
    }

    @Test
    void curatorsAndJetcdsOwnClients_beside_work() throws Exception {
        String servers = System.getenv("ZOOKEEPER_SERVERS");
        try (CuratorFramework curator = CuratorFrameworkFactory.newClient(servers, new RetryOneTime(100))) {
            curator.start();
            assertTrue(curator.blockUntilConnected(10, TimeUnit.SECONDS));
        }
        try (Client etcd = Client.builder().endpoints(System.getenv("ETCD_ENDPOINT")).build()) {
            ByteSequence key = ByteSequence.from("beside", UTF_8);
            etcd.getKVClient().put(key, key).get();
            assertEquals(1, etcd.getKVClient().get(key).get().getCount());
        }
    }
}
