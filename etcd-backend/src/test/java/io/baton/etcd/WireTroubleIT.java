package io.baton.etcd;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.etcd.wire.EtcdAddress;
import io.baton.etcd.wire.EtcdWire.Code;
import io.baton.etcd.wire.EtcdWire.Header;
import io.baton.etcd.wire.EtcdWire.Lease;
import io.baton.etcd.wire.EtcdWire.Put;
import io.baton.etcd.wire.EtcdWire.Range;
import io.baton.etcd.wire.EtcdWire.Result;
import io.baton.etcd.wire.EtcdWire.Txn;
import io.baton.etcd.wire.LiveEtcdWire;
import io.baton.etcd.wire.RenewedTls;
import io.baton.etcd.wire.Settings;
import io.baton.etcd.wire.Tls;
import io.baton.testkit.etcd.LocalEtcd;
import io.baton.testkit.proxy.Loopback;
import io.baton.testkit.proxy.TcpProxy;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The wire and servers that stop, freeze, refuse and lie silent. */
@Tag("etcd")
@Timeout(120)
class WireTroubleIT {

    private static final Duration SHORT = Duration.ofMillis(500);
    private static final Duration LONG = Duration.ofSeconds(10);

    private static Witness open(String uri, Duration patience) {
        EtcdAddress address = EtcdAddress.parse(URI.create(uri));
        return new Witness(patience, loop -> LiveEtcdWire.to(address, Settings.NONE, new AtomicLong(), loop));
    }

    private static Witness open(String uri, AtomicLong cluster) {
        EtcdAddress address = EtcdAddress.parse(URI.create(uri));
        return new Witness(LONG, loop -> LiveEtcdWire.to(address, Settings.NONE, cluster, loop));
    }

    private static CompletableFuture<Witness.Answer<Result>> read(Witness wire) {
        return wire.begin((now, reply) -> now.txn(Txn.read(Range.key("/app/a")), reply));
    }

    /** When it comes, there is nobody left to close the wire. */
    @Test
    void coordinatorClosedBeforeTheLastAnswer_leavesNoConnection() throws InterruptedException {
        try (LocalEtcd server = LocalEtcd.start();
                TcpProxy proxy = TcpProxy.to(server.address())) {
            var options = CoordinatorOptions.builder()
                    .ttl(Duration.ofSeconds(30))
                    .closeTimeout(Duration.ofMillis(50))
                    .build();
            Coordinator baton = Coordinator.connect(server.uri(proxy, "app"), options);
            proxy.hold();
            baton.close();
            assertThat(proxy.traffic().open()).isOne();

            proxy.release();

            await().atMost(LONG).until(() -> proxy.traffic().open() == 0);
        }
    }

    /** As with a member that is frozen, or a dead network: nothing breaks the connection. */
    @Test
    void coordinatorClosed_itsMemberIsSilent_theNextIsGrantedLongBeforeTheTtlHasPassed() throws InterruptedException {
        try (LocalEtcd server = LocalEtcd.start();
                TcpProxy one = TcpProxy.to(server.address());
                TcpProxy other = TcpProxy.to(server.address())) {
            var options =
                    CoordinatorOptions.builder().ttl(Duration.ofMinutes(10)).build();
            String members = "etcd://127.0.0.1:" + one.port() + ",127.0.0.1:" + other.port() + "/app";
            Coordinator baton = Coordinator.connect(members, options);
            var unused = baton.lock("orders").acquire();
            (one.traffic().open() > 0 ? one : other).hold();

            baton.close();

            try (Coordinator next = Coordinator.connect(server.uri("app"), options)) {
                assertThat(next.lock("orders").tryAcquire(Duration.ofMinutes(1)))
                        .isPresent();
            }
        }
    }

    @Test
    void serverFrozen_everyRequestEndsInTime() {
        try (LocalEtcd server = LocalEtcd.start();
                Witness wire = open(server.uri("app"), SHORT).awaitConnected()) {
            Witness.Seen before = wire.watch(Range.below("/app/"), 0);
            Witness.get(before.created);
            server.freeze();
            var answers = List.of(
                    read(wire),
                    wire.<Lease>begin((now, reply) -> now.grant(Duration.ofSeconds(5), reply)),
                    wire.<Lease>begin((now, reply) -> now.keepAlive(1, reply)),
                    wire.<Header>begin((now, reply) -> now.revoke(1, reply)));
            Witness.Seen after = wire.watch(Range.below("/app/"), 0);
            for (var answer : answers) {
                assertThat(Witness.get(answer).fault().code()).isEqualTo(Code.LOST);
            }
            assertThat(Witness.get(after.ended).code()).isEqualTo(Code.LOST);
            // A watch that was there has no limit, and who judges the session decides when to go.
            assertThat(before.ended).isNotDone();
            assertThat(wire.told).noneMatch(what -> what.startsWith("disconnected"));
            wire.on(now -> now.reconnect("no answers"));
            assertThat(Witness.get(before.ended).code()).isEqualTo(Code.LOST);
            await().until(() -> wire.told.contains("disconnected: no answers"));
            await().until(() -> wire.troubles.stream().anyMatch(why -> why.contains("does not answer")));
            server.wake();
            wire.awaitConnectedAgain();
            assertThat(Witness.get(read(wire)).fault().code()).isEqualTo(Code.OK);
        }
    }

    @Test
    void serverKilled_whatIsUnderWayIsLostBeforeTheContactIs() {
        try (LocalEtcd server = LocalEtcd.start();
                Witness wire = open(server.uri("app"), LONG).awaitConnected()) {
            Witness.Seen seen = wire.watch(Range.below("/app/"), 0);
            Witness.get(seen.created);
            server.freeze();
            var answer = read(wire);
            server.kill();
            assertThat(Witness.get(answer).fault().code()).isEqualTo(Code.LOST);
            await().until(() -> wire.told.size() >= 4);
            assertThat(wire.told.subList(1, 3)).containsExactlyInAnyOrder("answer LOST", "ended LOST");
            assertThat(wire.told.get(3)).startsWith("disconnected");
            assertThat(Witness.get(read(wire)).fault().code()).isEqualTo(Code.LOST);
            assertThat(Witness.get(wire.watch(Range.below("/app/"), 0).ended).code())
                    .isEqualTo(Code.LOST);
            await().until(() ->
                    wire.troubles.stream().anyMatch(why -> why.contains(":" + server.port() + " refuses connections")));
            server.restart();
            wire.awaitConnectedAgain();
            assertThat(Witness.get(read(wire)).fault().code()).isEqualTo(Code.OK);
        }
    }

    @Test
    void serverKilled_idleWireNoticesToo() {
        try (LocalEtcd server = LocalEtcd.start();
                Witness wire = open(server.uri("app"), LONG).awaitConnected()) {
            server.kill();
            await().until(() -> wire.told.size() == 2 && wire.told.get(1).startsWith("disconnected"));
        }
    }

    @Test
    void reconnect_serverIsWell_goesOnAtOnce() {
        try (LocalEtcd server = LocalEtcd.start();
                Witness wire = open(server.uri("app"), LONG).awaitConnected()) {
            for (int i = 0; i < 5; i++) {
                int told = wire.told.size();
                wire.on(now -> now.reconnect("a test"));
                await().until(() -> wire.told.size() == told + 2);
                assertThat(wire.told.subList(told, told + 2)).containsExactly("disconnected: a test", "connected");
            }
        }
    }

    @Test
    void connect_nobodyThere_saysWhoRefusesAndGoesOnTrying() {
        int port = Loopback.freePort();
        try (Witness wire = open("etcd://127.0.0.1:" + port + ",no-such-host.invalid:1/app", LONG)) {
            await().until(() -> wire.troubles.stream()
                    .anyMatch(why -> why.contains("127.0.0.1:" + port + " refuses connections")
                            && why.contains("no-such-host.invalid:1 is no host")));
            assertThat(wire.told).isEmpty();
        }
    }

    @Test
    void connect_silentServer_isGivenUpInTime() throws Exception {
        try (ServerSocket silent = new ServerSocket()) {
            silent.bind(Loopback.at(0));
            try (Witness wire = open("etcd://127.0.0.1:" + silent.getLocalPort() + "/app", SHORT)) {
                await().until(() -> wire.troubles.stream().anyMatch(why -> why.contains("does not answer")));
                assertThat(wire.told).isEmpty();
            }
        }
    }

    @Test
    void connect_portThatHangsUp_isTakenForNothingElse() {
        try (TcpProxy nobodyBehind = TcpProxy.to(Loopback.at(Loopback.freePort()))) {
            for (String scheme : List.of("etcd", "etcds")) {
                EtcdAddress address =
                        EtcdAddress.parse(URI.create(scheme + "://127.0.0.1:" + nobodyBehind.port() + "/app"));
                var settings = new Settings(
                        Optional.empty(),
                        address.secure()
                                ? Optional.of(new RenewedTls(new Tls(Optional.empty(), Optional.empty())))
                                : Optional.empty());
                try (Witness wire =
                        new Witness(SHORT, loop -> LiveEtcdWire.to(address, settings, new AtomicLong(), loop))) {
                    await().until(() -> wire.troubles.size() > 3);
                    assertThat(wire.troubles).noneMatch(why -> why.contains("speak"));
                    assertThat(wire.told).isEmpty();
                }
            }
        }
    }

    @Test
    void connect_anotherKindOfServer_isToldAsThat() throws Exception {
        try (ServerSocket web = new ServerSocket()) {
            web.bind(Loopback.at(0));
            var thread = new Thread(() -> {
                try {
                    while (true) {
                        try (Socket one = web.accept()) {
                            one.getOutputStream().write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(UTF_8));
                        }
                    }
                } catch (IOException closed) {
                    // The test is over.
                }
            });
            thread.start();
            try (Witness wire = open("etcd://127.0.0.1:" + web.getLocalPort() + "/app", LONG)) {
                assertThat(wire.awaitOver())
                        .hasMessageContaining("127.0.0.1:" + web.getLocalPort() + " does not speak etcd's protocol");
            }
        }
    }

    @Test
    void connect_firstMembersAreAway_findsTheOneThatIsThere() {
        try (LocalEtcd server = LocalEtcd.start()) {
            String away = "127.0.0.1:" + Loopback.freePort() + ",127.0.0.1:" + Loopback.freePort();
            for (int i = 0; i < 5; i++) {
                try (Witness wire = open(server.uri("app").replace("127.0.0.1", away + ",127.0.0.1"), LONG)) {
                    wire.awaitConnected();
                }
            }
        }
    }

    @Test
    void reconnect_oneOfTwoMembersIsOfAnotherCluster_goesBackToTheOneThatServes() {
        try (LocalEtcd one = LocalEtcd.start();
                LocalEtcd other = ofAnotherCluster();
                TcpProxy proxy = TcpProxy.to(one.address());
                TcpProxy foreign = TcpProxy.to(other.address());
                Witness wire = open(both(proxy, foreign), LONG)) {
            foreign.refuse();
            wire.awaitConnected();
            foreign.accept();
            for (int i = 0; i < 3; i++) {
                wire.on(now -> now.reconnect("a test"));
                wire.awaitConnectedAgain();
                wire.told.clear();
            }
            assertThat(wire.troubles)
                    .anySatisfy(why -> assertThat(why).contains(":" + foreign.port() + " belongs to another cluster"));
            wire.<Result>ask((now, reply) -> now.txn(
                            new Txn(List.of(), List.of(new Put("/app/a", "v".getBytes(UTF_8), 0)), List.of()), reply))
                    .get();
            try (Witness there = open(one.uri("app"), LONG).awaitConnected()) {
                assertThat(Witness.get(read(there)).get().parts().get(0).first())
                        .isPresent();
            }
        }
    }

    @Test
    void reconnect_mostMembersAreOfAnotherCluster_isOverAndTheNextSessionIsThere(@TempDir Path folder)
            throws Exception {
        try (LocalEtcd server = LocalEtcd.start();
                TcpProxy first = TcpProxy.to(server.address());
                TcpProxy second = TcpProxy.to(server.address())) {
            var cluster = new AtomicLong();
            try (Witness wire = open(both(first, second), cluster).awaitConnected()) {
                server.backUp(folder.resolve("backup"));
                server.restore(folder.resolve("backup"), "another");
                assertThat(wire.awaitOver()).hasMessageContaining("belongs to another cluster");
            }
            try (Witness next = open(both(first, second), cluster).awaitConnected()) {
                assertThat(next.troubles).isEmpty();
            }
        }
    }

    @Test
    void connect_storeWasReplacedBetweenSessions_isThere(@TempDir Path folder) throws Exception {
        try (LocalEtcd server = LocalEtcd.start();
                TcpProxy first = TcpProxy.to(server.address());
                TcpProxy second = TcpProxy.to(server.address())) {
            var cluster = new AtomicLong();
            open(both(first, second), cluster).awaitConnected().close();
            server.backUp(folder.resolve("backup"));
            server.restore(folder.resolve("backup"), "another");
            try (Witness next = open(both(first, second), cluster).awaitConnected()) {
                assertThat(next.troubles).anySatisfy(why -> assertThat(why).contains("belongs to another cluster"));
            }
        }
    }

    @Test
    void connect_onlyAMemberOfAnotherClusterAnswers_laterSessionWaitsForItsOwn() {
        try (LocalEtcd one = LocalEtcd.start();
                LocalEtcd other = ofAnotherCluster();
                TcpProxy proxy = TcpProxy.to(one.address());
                TcpProxy foreign = TcpProxy.to(other.address())) {
            var cluster = new AtomicLong();
            open(one.uri("app"), cluster).awaitConnected().close();
            proxy.refuse();
            try (Witness next = open(both(proxy, foreign), cluster)) {
                await().atMost(LONG).until(() -> foreign.traffic().accepted() > 3);
                assertThat(next.told).isEmpty();
                assertThat(next.troubles).anySatisfy(why -> assertThat(why).contains("belongs to another cluster"));
                proxy.accept();
                next.awaitConnected();
            }
        }
    }

    private static LocalEtcd ofAnotherCluster() {
        return LocalEtcd.builder().flag("--initial-cluster-token", "other").start();
    }

    private static String both(TcpProxy one, TcpProxy other) {
        return "etcd://127.0.0.1:" + one.port() + ",127.0.0.1:" + other.port() + "/app";
    }

    @Test
    void txn_compactedRevision_endsAWatchAsCompacted() {
        try (LocalEtcd server = LocalEtcd.start();
                Witness wire = open(server.uri("app"), LONG).awaitConnected()) {
            for (int i = 0; i < 3; i++) {
                Txn put = new Txn(List.of(), List.of(new Put("/app/a", "v".getBytes(UTF_8), 0)), List.of());
                wire.<Result>ask((now, reply) -> now.txn(put, reply)).get();
            }
            server.compact();
            Witness.Seen seen = wire.watch(Range.below("/app/"), 1);
            assertThat(Witness.get(seen.ended).code()).isEqualTo(Code.COMPACTED);
            assertThat(seen.events).isEmpty();
        }
    }
}
