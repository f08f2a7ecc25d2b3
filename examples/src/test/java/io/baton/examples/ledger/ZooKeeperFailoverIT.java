package io.baton.examples.ledger;

import io.baton.testkit.zookeeper.LocalZooKeeper;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ZooKeeperFailoverIT extends FailoverRun {

    private static final Duration TICK = Duration.ofMillis(500);

    @Test
    void activeKilledFrozenAndTerminated_nothingAcknowledgedIsLost_nothingLateIsStored() throws Exception {
        try (LocalZooKeeper zookeeper = LocalZooKeeper.builder().tickTime(TICK).start()) {
            play("ZooKeeper", zookeeper.uri("shop"));
        }
    }
}
