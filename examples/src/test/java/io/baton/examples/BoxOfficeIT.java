package io.baton.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.baton.Coordinator;
import io.baton.Hold;
import io.baton.HoldState;
import io.baton.testkit.proxy.TcpProxy;
import io.baton.testkit.zookeeper.ZooKeeperExtension;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The box office on a real server, and with a network that falls silent. */
@Timeout(120)
class BoxOfficeIT {

    // tag::server[]
    @RegisterExtension
    static final ZooKeeperExtension zookeeper = new ZooKeeperExtension(); // or EtcdExtension.newest()

    @Test
    void sellOne_onARealServer_sellsItOnce() throws InterruptedException {
        try (Coordinator baton = Coordinator.connect(zookeeper.uri())) { // each test has a path of its own
            baton.records("stock").put("tickets", "1".getBytes(UTF_8));
            assertTrue(BoxOffice.sellOne(baton));
            assertFalse(BoxOffice.sellOne(baton));
        }
    }
    // end::server[]

    // tag::silent[]
    @Test
    void hold_networkFallsSilent_isLostByItsOwnDeadline() throws InterruptedException {
        try (TcpProxy network = TcpProxy.to(zookeeper.server().address());
                Coordinator baton = Coordinator.connect(zookeeper.server().uri(network, "/silent"));
                Hold hold = baton.lock("stock").acquire()) {
            network.hold(); // nothing arrives any more, and nothing is closed
            await().atMost(Duration.ofSeconds(30)).until(() -> hold.state() == HoldState.LOST);
            network.release();
        }
    }
    // end::silent[]
}
