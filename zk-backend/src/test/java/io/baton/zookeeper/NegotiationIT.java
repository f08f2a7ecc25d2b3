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

/** A ttl that is too short is raised, or refused if it is strict; what the servers grant has to work. */
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
    void connect_ttlTooShortForTheTick_isRaisedToTheShortestThatWorks() throws Exception {
        try (Coordinator baton = Coordinator.connect(server.uri("app"), ttl(Duration.ofMillis(100)));
                Hold hold = baton.lock("short").acquire()) {
            assertThat(baton.ttl()).isEqualTo(Timing.least(server.tickTime()));
            assertThat(hold.remaining()).isPositive();
        }
    }

    @Test
    void connect_serverGrantsMoreThanAsked_theTtlIsWhatWasGranted() throws Exception {
        try (LocalZooKeeper slow =
                        LocalZooKeeper.builder().tickTime(Duration.ofSeconds(1)).start();
                Coordinator baton = Coordinator.connect(beyondItsTick(slow), ttl(Duration.ofSeconds(1)))) {
            assertThat(baton.ttl()).isEqualTo(Duration.ofSeconds(2));
        }
    }

    @Test
    void connect_serverGrantsMoreThanAStrictTtl_isRefusedWithTheReason() {
        try (LocalZooKeeper slow =
                LocalZooKeeper.builder().tickTime(Duration.ofSeconds(1)).start()) {
            assertThatThrownBy(() -> Coordinator.connect(beyondItsTick(slow), strict(Duration.ofSeconds(1))))
                    .isInstanceOf(CoordinationException.class)
                    .hasMessageContaining("grants no less than 2000 ms")
                    .hasMessageContaining("strict ttl of 1000 ms");
        }
    }

    @Test
    void connect_strictTtlTooShortForTheTick_isRefusedWithoutAskingTheServer() {
        assertThatThrownBy(() -> Coordinator.connect("zk://127.0.0.1:1/app", strict(Duration.ofSeconds(3))))
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

    /** Sessions of a server last two of its ticks at least. */
    private static String beyondItsTick(LocalZooKeeper server) {
        return "zk://" + server.connectString() + "/app?tick=100ms";
    }

    private static CoordinatorOptions strict(Duration ttl) {
        return CoordinatorOptions.builder().ttl(ttl).strictTtl(true).build();
    }

    private static CoordinatorOptions ttl(Duration ttl) {
        return CoordinatorOptions.builder().ttl(ttl).build();
    }
}
