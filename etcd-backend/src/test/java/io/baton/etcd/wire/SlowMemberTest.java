package io.baton.etcd.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.etcd.HandServer;
import io.baton.etcd.Witness;
import io.baton.etcd.wire.EtcdWire.Range;
import io.baton.etcd.wire.EtcdWire.Txn;
import io.grpc.Status;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** A member that has much to do, as when many come back to it at once, or a process that has little time to run. */
class SlowMemberTest {

    private static final Duration PATIENCE = Duration.ofMillis(300);

    @Test
    void reconnect_aCallbackOfARequestThrows_isToldAndConnectsAgain() {
        try (HandServer server = new HandServer()) {
            EtcdAddress address = EtcdAddress.parse(URI.create(server.uri()));
            Duration patience = Duration.ofSeconds(20);
            try (Witness wire =
                    new Witness(patience, loop -> LiveEtcdWire.to(address, Settings.NONE, new AtomicLong(), loop))) {
                wire.awaitConnected();
                wire.on(now -> {
                    now.keepAlive(1, (fault, lease) -> {
                        throw new IllegalStateException("broken on purpose");
                    });
                    now.reconnect("as the test says");
                });

                wire.awaitConnectedAgain();
            }
        }
    }

    @Test
    void connect_answersTakeLongerThanARequestMay_succeedsAndTheFirstRequestHasAsLong() {
        try (HandServer server = new HandServer()) {
            server.slow(PATIENCE.multipliedBy(3));
            EtcdAddress address = EtcdAddress.parse(URI.create(server.uri()));
            try (Witness wire =
                    new Witness(PATIENCE, loop -> LiveEtcdWire.to(address, Settings.NONE, new AtomicLong(), loop))) {
                wire.awaitConnected();

                assertThat(read(wire).value()).isNotNull();
            }
        }
    }

    @Test
    void connect_slowAndTheFirstRequestIsRefused_laterRequestsEndWithinThePatience() {
        try (HandServer server = new HandServer()) {
            Duration patience = Duration.ofSeconds(1);
            server.slow(patience.multipliedBy(3).dividedBy(2));
            EtcdAddress address = EtcdAddress.parse(URI.create(server.uri()));
            try (Witness wire =
                    new Witness(patience, loop -> LiveEtcdWire.to(address, Settings.NONE, new AtomicLong(), loop))) {
                wire.awaitConnected();
                server.slow(Duration.ZERO);
                server.outcome(Status.PERMISSION_DENIED.withDescription("etcdserver: permission denied"));
                assertThat(read(wire).fault().code()).isEqualTo(EtcdWire.Code.DENIED);

                server.slow(Duration.ofHours(1));

                assertThat(read(wire).fault().message()).endsWith("within 1000 ms");
            }
        }
    }

    private static Witness.Answer<EtcdWire.Result> read(Witness wire) {
        return wire.ask((now, reply) -> now.txn(Txn.read(Range.presence("/app/a")), reply));
    }
}
