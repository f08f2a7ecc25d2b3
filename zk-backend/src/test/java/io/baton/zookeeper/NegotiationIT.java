package io.baton.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.CoordinationException;
import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Hold;
import io.baton.testkit.zookeeper.LocalZooKeeper;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Timings that cannot work are refused: at construction, and again when the server has granted less than was asked. */
class NegotiationIT {

    private static final Duration GRANTED = Duration.ofSeconds(4);
    private static LocalZooKeeper server;

    @BeforeAll
    static void start() {
        server = LocalZooKeeper.builder().maxSessionTimeout(GRANTED).start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void connect_timeoutTooShortForTheTick_isRefusedWithoutAskingTheServer() {
        assertThatThrownBy(() -> Coordinator.connect("zk://127.0.0.1:1/app", ttl(Duration.ofSeconds(3))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("cannot work with a server tick of 2000 ms");
    }

    @Test
    void connect_serverGrantsTooLittleForTheTick_isRefusedWithTheReason() {
        String believesInATickOf2s = "zk://" + server.connectString() + "/app";

        assertThatThrownBy(() -> Coordinator.connect(believesInATickOf2s, ttl(Duration.ofSeconds(10))))
                .isInstanceOf(CoordinationException.class)
                .hasMessageContaining("grants no more than 4000 ms")
                .hasMessageContaining("?tick=");
    }

    @Test
    void hold_serverGrantsLessThanAsked_livesByWhatWasGranted() throws Exception {
        try (Coordinator baton = Coordinator.connect(server.uri("app"), ttl(Duration.ofSeconds(10)));
                Hold hold = baton.lock("orders").acquire()) {
            assertThat(hold.remaining()).isLessThan(GRANTED).isGreaterThan(GRANTED.dividedBy(4));
        }
    }

    private static CoordinatorOptions ttl(Duration ttl) {
        return CoordinatorOptions.builder().ttl(ttl).build();
    }
}
