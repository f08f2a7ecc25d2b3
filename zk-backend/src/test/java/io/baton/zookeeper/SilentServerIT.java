package io.baton.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.CoordinationException;
import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Hold;
import io.baton.OutcomeUnknownException;
import io.baton.Records;
import io.baton.StoreUnavailableException;
import io.baton.testkit.proxy.TcpProxy;
import io.baton.testkit.zookeeper.ZooKeeperExtension;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A server that accepts and never answers: every call ends, and says what is known. */
@Timeout(60)
class SilentServerIT {

    @RegisterExtension
    static final ZooKeeperExtension zookeeper = new ZooKeeperExtension();

    private static final CoordinatorOptions IMPATIENT = CoordinatorOptions.builder()
            .ttl(Duration.ofSeconds(4))
            .connectTimeout(Duration.ofSeconds(1))
            .requestTimeout(Duration.ofSeconds(1))
            .closeTimeout(Duration.ofMillis(500))
            .build();

    @Test
    void connect_neverAnswered_saysWhichAddress() {
        try (TcpProxy proxy = TcpProxy.to(zookeeper.server().address())) {
            proxy.hold();

            assertThatThrownBy(() -> Coordinator.connect(zookeeper.server().uri(proxy, "silent"), IMPATIENT))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("127.0.0.1:" + proxy.port());
        }
    }

    @Test
    void calls_serverFallsSilent_endWithWhatIsKnown() throws Exception {
        try (TcpProxy proxy = TcpProxy.to(zookeeper.server().address());
                Coordinator baton = Coordinator.connect(zookeeper.server().uri(proxy, "silent"), IMPATIENT)) {
            Records records = baton.records("tree");
            records.put("key", new byte[] {1});
            Hold hold = baton.lock("held").acquire();
            proxy.hold();

            assertThatThrownBy(() -> records.put("key", new byte[] {2})).isInstanceOf(OutcomeUnknownException.class);
            assertThatThrownBy(() -> records.get("key")).isInstanceOf(StoreUnavailableException.class);
            assertThatThrownBy(() -> baton.lock("held").queue()).isInstanceOf(CoordinationException.class);
            assertThatThrownBy(() -> baton.lock("other").tryAcquire(Duration.ofMillis(300)))
                    .isInstanceOf(StoreUnavailableException.class);
            hold.close();
            assertThat(hold.remaining()).isZero();
        }
    }
}
