package consumer;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Hold;
import io.baton.testkit.zookeeper.LocalZooKeeper;
import io.baton.testkit.zookeeper.ZooKeeperExtension;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A user's test on a real server, which the testkit's extension starts. */
class TurnsTest {

    /** On a busy machine, the classes of a store take a while. */
    private static final CoordinatorOptions PATIENT =
            CoordinatorOptions.builder().connectTimeout(Duration.ofMinutes(1)).build();

    @RegisterExtension
    static final ZooKeeperExtension SERVER = new ZooKeeperExtension();

    @Test
    void tryAcquire_othersHold_isRefused() throws Exception {
        try (Coordinator here = Coordinator.connect(SERVER.uri(), PATIENT);
                Coordinator there = Coordinator.connect(SERVER.uri(), PATIENT);
                Hold hold = here.lock("orders").acquire()) {
            assertTrue(there.lock("orders").tryAcquire().isEmpty());
        }
    }

    @Test
    void parameter_server_isThatOfTheExtension(LocalZooKeeper server) {
        assertTrue(server.isRunning());
    }
}
