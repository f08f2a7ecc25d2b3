package consumer;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.baton.Coordinator;
import io.baton.Hold;
import io.baton.testkit.zookeeper.LocalZooKeeper;
import io.baton.testkit.zookeeper.ZooKeeperExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A user's test on a real server, which the testkit's extension starts. */
class TurnsTest {

    @RegisterExtension
    static final ZooKeeperExtension SERVER = new ZooKeeperExtension();

    @Test
    void tryAcquire_othersHold_isRefused() throws Exception {
        try (Coordinator here = Coordinator.connect(SERVER.uri());
                Coordinator there = Coordinator.connect(SERVER.uri());
                Hold hold = here.lock("orders").acquire()) {
            assertTrue(there.lock("orders").tryAcquire().isEmpty());
        }
    }

    @Test
    void parameter_server_isThatOfTheExtension(LocalZooKeeper server) {
        assertTrue(server.isRunning());
    }
}
