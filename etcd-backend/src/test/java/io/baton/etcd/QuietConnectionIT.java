package io.baton.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.SessionState;
import io.baton.etcd.wire.EtcdWire;
import io.baton.etcd.wire.EtcdWire.Range;
import io.baton.etcd.wire.LiveEtcdWireIT;
import io.baton.testkit.etcd.LocalEtcd;
import io.baton.testkit.proxy.TcpProxy;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Connections on which nothing is said for long. These tests are slow: a ping is due every 10 s. */
@Tag("etcd")
@Timeout(180)
@Execution(ExecutionMode.CONCURRENT)
class QuietConnectionIT {

    private static final Duration PATIENCE = Duration.ofSeconds(5);

    @Test
    void watch_connectionFallsSilent_breakIsToldThoughNothingIsAsked() {
        try (LocalEtcd server = LocalEtcd.start();
                TcpProxy proxy = TcpProxy.to(server.address());
                Witness wire = LiveEtcdWireIT.connect(server.uri(proxy, "app"), PATIENCE)) {
            Witness.Seen seen = wire.watch(Range.below("/app/"), 0);
            Witness.get(seen.created);

            proxy.hold();

            await().atMost(Duration.ofSeconds(30))
                    .until(() -> wire.told.stream().anyMatch(what -> what.startsWith("disconnected")));
            assertThat(seen.ended).isDone();
        }
    }

    /** The first heartbeat is due after longer than that. */
    @Test
    void session_longTimeToLiveAndConnectionFallsSilent_isSuspendedBeforeTheNextHeartbeatIsDue() throws Exception {
        var options = CoordinatorOptions.builder().ttl(Duration.ofMinutes(20)).build();
        try (LocalEtcd server = LocalEtcd.start();
                TcpProxy proxy = TcpProxy.to(server.address());
                Coordinator baton = Coordinator.connect(server.uri(proxy, "app"), options)) {
            awaitNothingUnderWay(proxy);
            proxy.hold();

            await().atMost(Duration.ofSeconds(30)).until(() -> baton.state() == SessionState.SUSPENDED);
            proxy.release();
            await().atMost(Duration.ofSeconds(30)).until(() -> baton.state() == SessionState.CONNECTED);
        }
    }

    private static void awaitNothingUnderWay(TcpProxy proxy) {
        var last = new AtomicReference<>(proxy.traffic());
        await().pollInterval(Duration.ofMillis(500))
                .until(() -> last.getAndSet(proxy.traffic()).equals(last.get()));
    }

    /** A server as it comes hangs up at the third ping that comes too soon after another: at the fourth, that is. */
    @Test
    @Tag("long")
    void watch_idleForSeveralPings_isToldOfNoBreak() {
        try (LocalEtcd server = LocalEtcd.start();
                TcpProxy proxy = TcpProxy.to(server.address());
                Witness wire = LiveEtcdWireIT.connect(server.uri(proxy, "app"), PATIENCE)) {
            Witness.Seen seen = wire.watch(Range.below("/app/"), 0);
            Witness.get(seen.created);
            long before = proxy.traffic().bytesToServer();

            // A ping has 17 bytes.
            await().atMost(Duration.ofSeconds(90)).until(() -> proxy.traffic().bytesToServer() >= before + 5 * 17);

            wire.on(now -> Witness.get(seen.watch).close());
            assertThat(wire.<EtcdWire.Result>ask((now, reply) -> now.txn(EtcdWire.Txn.read(Range.key("/app/a")), reply))
                            .fault()
                            .ok())
                    .isTrue();
            assertThat(seen.ended).isNotDone();
            assertThat(wire.told).containsExactly("connected", "answer OK");
        }
    }
}
