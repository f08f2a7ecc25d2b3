package io.baton.etcd.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.SessionLostException;
import io.baton.etcd.HandServer;
import io.baton.etcd.Witness;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LiveEtcdWireTest {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    @Test
    void connect_storeReplaced_endsTheSessionAndTheNextOneIsInTheOtherCluster() {
        var cluster = new AtomicLong();
        try (HandServer server = new HandServer()) {
            EtcdAddress address = EtcdAddress.parse(URI.create(server.uri()));
            try (Witness wire = new Witness(PATIENCE, loop -> LiveEtcdWire.to(address, Settings.NONE, cluster, loop))) {
                wire.awaitConnected();
                server.cluster(2);

                wire.on(now -> now.reconnect("as the test says"));

                assertThat(wire.awaitOver())
                        .isInstanceOf(SessionLostException.class)
                        .hasMessageStartingWith("store replaced: ");
            }
            try (Witness next = new Witness(PATIENCE, loop -> LiveEtcdWire.to(address, Settings.NONE, cluster, loop))) {
                next.awaitConnected();
            }
        }
        assertThat(cluster).hasValue(2);
    }
}
