package io.baton.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Guard;
import io.baton.Hold;
import io.baton.Op;
import io.baton.Telemetry;
import io.baton.testkit.zookeeper.ZooKeeperExtension;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What is told of locks, sessions and requests on a real server. */
class TelemetryIT {

    @RegisterExtension
    static final ZooKeeperExtension zookeeper = new ZooKeeperExtension();

    private final List<String> told = new CopyOnWriteArrayList<>();
    private final Set<String> requests = ConcurrentHashMap.newKeySet();

    private final Telemetry telemetry = new Telemetry() {
        @Override
        public void granted(Granted event) {
            told.add("granted " + event.token());
        }

        @Override
        public void lost(Lost event) {
            told.add("lost " + event.token());
        }

        @Override
        public void released(Released event) {
            told.add("released " + event.token());
        }

        @Override
        public void handedOff(HandedOff event) {
            told.add("handed off " + event.token());
        }

        @Override
        public void session(SessionChange event) {
            told.add(event.state() + " " + event.session());
        }

        @Override
        public void request(Request event) {
            assertThat(event.took()).isBetween(Duration.ZERO, Duration.ofMinutes(1));
            requests.add(event.kind() + " " + event.outcome());
        }
    };

    @Test
    void lockAndWrites_realServer_areToldWithTheirRequests() throws Exception {
        var options = CoordinatorOptions.builder().telemetry(telemetry).build();
        long token;
        long lost;
        try (Coordinator baton = Coordinator.connect(zookeeper.uri(), options)) {
            try (Hold hold = baton.lock("orders").acquire()) {
                token = hold.token();
                Op put = Op.put(baton.records("stock").key("a"), "1");
                assertThat(baton.transact(List.of(Guard.held(hold)), List.of(put)))
                        .isTrue();
                assertThat(baton.records("stock").get("a")).isPresent();
                await().atMost(Duration.ofSeconds(30)).until(() -> requests.contains("COMMIT OK"));
            }
            lost = baton.lock("orders").acquire().token();
            zookeeper.server().expire(Long.parseUnsignedLong(session().substring(2), 16));
            await().atMost(Duration.ofSeconds(30)).until(() -> told.contains("lost " + lost));
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> told.stream()
                                    .filter(event -> event.startsWith("CONNECTED"))
                                    .count()
                            == 2);
        }

        assertThat(told)
                .containsSubsequence(
                        "granted " + token,
                        "released " + token,
                        "handed off " + token,
                        "granted " + lost,
                        "lost " + lost,
                        "LOST " + session())
                .last()
                .asString()
                .startsWith("CLOSED");
        assertThat(requests)
                .contains("JOIN OK", "CREATE OK", "LIST OK", "READ OK", "DELETE OK", "COMMIT OK", "TRANSACT OK");
    }

    /** The first session's id. */
    private String session() {
        return told.get(0).substring("CONNECTED ".length());
    }
}
