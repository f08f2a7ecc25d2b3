package io.baton.etcd;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.baton.CoordinationException;
import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Hold;
import io.baton.HoldState;
import io.baton.Secret;
import io.baton.SessionState;
import io.baton.etcd.wire.EtcdAddress;
import io.baton.etcd.wire.EtcdWire.Code;
import io.baton.etcd.wire.EtcdWire.Header;
import io.baton.etcd.wire.EtcdWire.Lease;
import io.baton.etcd.wire.EtcdWire.Put;
import io.baton.etcd.wire.EtcdWire.Range;
import io.baton.etcd.wire.EtcdWire.Result;
import io.baton.etcd.wire.EtcdWire.Txn;
import io.baton.etcd.wire.LiveEtcdWire;
import io.baton.etcd.wire.Login;
import io.baton.etcd.wire.Settings;
import io.baton.testkit.etcd.LocalEtcd;
import io.baton.testkit.server.Certificates;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A real server that lets in only those it knows, and forgets them after a second. */
@Tag("etcd")
@Timeout(120)
class AccessIT {

    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final String PASSWORD = "swordfish";

    private static LocalEtcd server;

    @TempDir
    Path directory;

    @BeforeAll
    static void start() {
        server = LocalEtcd.builder()
                .authentication()
                .flag("--auth-token-ttl", "1")
                .start();
        server.addUser("app", PASSWORD, "/app/");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static Witness connect() {
        EtcdAddress address = EtcdAddress.parse(URI.create(server.uri("app")));
        var settings = new Settings(Optional.of(new Login.User("app", Secret.of(PASSWORD))), Optional.empty());
        return new Witness(PATIENCE, loop -> LiveEtcdWire.to(address, settings, new AtomicLong(), loop))
                .awaitConnected();
    }

    private static Coordinator connect(EtcdStore.Builder builder) throws InterruptedException {
        return Coordinator.connect(builder.build(), CoordinatorOptions.defaults());
    }

    private static CompletableFuture<Witness.Answer<Result>> put(Witness wire, String key) {
        Txn put = new Txn(List.of(), List.of(new Put(key, "v".getBytes(UTF_8), 0)), List.of());
        return wire.begin((now, reply) -> now.txn(put, reply));
    }

    @Test
    void acquire_userThatMay_works() throws Exception {
        try (Coordinator baton = connect(EtcdStore.builder(server.uri("app")).user("app", Secret.of(PASSWORD)));
                Hold hold = baton.lock("orders").acquire()) {
            assertThat(hold.remaining()).isPositive();
        }
    }

    /** Without a token, the server takes a client for the user whom its certificate names. */
    @Test
    @Tag("long")
    void acquire_userThatMayAndACertificateOfNobody_works() throws Exception {
        try (LocalEtcd strict =
                LocalEtcd.builder().tls("ip:127.0.0.1", true).authentication().start()) {
            strict.addUser("app", PASSWORD, "/app/");
            Certificates its = strict.certificates().orElseThrow();
            EtcdStore.Builder store = EtcdStore.builder(strict.uri("app"))
                    .trustStore(its.certificate("server"))
                    .keyStore(its.directory().resolve("client.p12"), Secret.of(Certificates.PASSWORD))
                    .user("app", Secret.of(PASSWORD));
            try (Coordinator one = connect(store);
                    Coordinator other = connect(store);
                    Hold hold = one.lock("orders").acquire()) {
                CompletableFuture<Hold> next = other.lock("orders").acquireAsync();
                await().until(() -> one.lock("orders").queue().size() == 2);
                hold.close();
                next.get().close();
            }
        }
    }

    @Test
    void acquire_userFromAFile_works() throws Exception {
        Path secret = Files.writeString(directory.resolve("secret"), PASSWORD + "\n");
        Path config = Files.writeString(directory.resolve("etcd.properties"), "user=app\npassword.file=" + secret);
        try (Coordinator baton = Coordinator.connect(server.uri("app") + "?config=" + config)) {
            baton.lock("orders").acquire().close();
        }
    }

    @Test
    void connect_wrongPasswordOrUser_isOneClearError() {
        for (String user : List.of("app", "nobody")) {
            assertThatThrownBy(
                            () -> connect(EtcdStore.builder(server.uri("app")).user(user, Secret.of("wrong"))))
                    .isInstanceOf(CoordinationException.class)
                    .hasMessageContaining("etcd refuses the user '" + user + "' or its password")
                    .hasMessageNotContaining("wrong");
        }
    }

    @Test
    void connect_noUser_saysThatOneIsNeeded() {
        assertThatThrownBy(() -> connect(EtcdStore.builder(server.uri("app"))))
                .isInstanceOf(CoordinationException.class)
                .hasMessageContaining("no user is set")
                .hasMessageContaining("BATON_ETCD_USER");
    }

    @Test
    void connect_userThatMayNot_saysWhatToGrant() {
        assertThatThrownBy(() -> connect(EtcdStore.builder(server.uri("other")).user("app", Secret.of(PASSWORD))))
                .isInstanceOf(CoordinationException.class)
                .hasMessageContaining("/other/")
                .hasMessageContaining("grant");
    }

    @Test
    void connect_userWhereNoneIsNeeded_works() throws Exception {
        try (LocalEtcd open = LocalEtcd.start();
                Coordinator baton = connect(EtcdStore.builder(open.uri("app")).user("app", Secret.of(PASSWORD)))) {
            baton.lock("orders").acquire().close();
        }
    }

    @Test
    void requests_tokenExpired_areDoneWithAnother() {
        try (Witness wire = connect()) {
            Lease lease = wire.<Lease>ask((now, reply) -> now.grant(Duration.ofSeconds(60), reply))
                    .get();
            for (int i = 0; i < 2; i++) {
                // Nothing to wait for: the server forgets, and says so only when asked, which would remind it.
                awaitForgotten();
                var answers = new ArrayList<CompletableFuture<Witness.Answer<Result>>>();
                for (int n = 0; n < 10; n++) {
                    answers.add(put(wire, "/app/t/" + n));
                }
                Witness.Seen seen = wire.watch(Range.below("/app/t/"), 0);
                answers.forEach(
                        answer -> assertThat(Witness.get(answer).fault().code()).isEqualTo(Code.OK));
                Witness.get(seen.created);
                awaitForgotten();
                Witness.Seen another = wire.watch(Range.below("/app/t/"), 0);
                Witness.get(another.created);
                assertThat(wire.<Lease>ask((now, reply) -> now.keepAlive(lease.id(), reply))
                                .fault()
                                .code())
                        .isEqualTo(Code.OK);
                assertThat(Witness.get(put(wire, "/app/t/a")).fault().code()).isEqualTo(Code.OK);
                await().until(() -> seen.events.size() > 0 && another.events.size() > 0);
            }
            awaitForgotten();
            assertThat(wire.<Header>ask((now, reply) -> now.revoke(lease.id(), reply))
                            .fault()
                            .code())
                    .isEqualTo(Code.OK);
            assertThat(wire.told).noneMatch(what -> what.startsWith("disconnected"));
        }
    }

    @Test
    void requests_usersChange_areDoneWithAnotherToken() {
        try (Witness wire = connect()) {
            server.addUser("another", "x", "/another/");
            assertThat(Witness.get(put(wire, "/app/u")).fault().code()).isEqualTo(Code.OK);
            server.addUser("yet-another", "x", "/another/");
            Witness.get(wire.watch(Range.below("/app/u"), 0).created);
        }
    }

    @Test
    void requests_outsideWhatTheUserMay_areDenied() {
        try (Witness wire = connect()) {
            assertThat(Witness.get(put(wire, "/elsewhere")).fault().code()).isEqualTo(Code.DENIED);
            assertThat(Witness.get(wire.watch(Range.key("/elsewhere"), 0).ended).code())
                    .isEqualTo(Code.DENIED);
        }
    }

    @Test
    void hold_permissionForAnotherLockRevoked_goesOnAndTheOtherIsGivenUpInTheEnd() throws Exception {
        server.ctl().run("user", "add", "half:" + PASSWORD);
        server.ctl().run("role", "add", "half");
        for (String prefix : List.of("/app/.sessions/", "/app/locks/left/", "/app/locks/right/")) {
            server.ctl().run("role", "grant-permission", "--prefix=true", "half", "readwrite", prefix);
        }
        server.ctl().run("user", "grant-role", "half", "half");
        CoordinatorOptions options =
                CoordinatorOptions.builder().ttl(Duration.ofSeconds(15)).build();
        try (Coordinator baton = Coordinator.connect(
                        EtcdStore.builder(server.uri("app"))
                                .user("half", Secret.of(PASSWORD))
                                .build(),
                        options);
                Hold left = baton.lock("left").acquire();
                Hold right = baton.lock("right").acquire()) {
            server.ctl().run("role", "revoke-permission", "--prefix=true", "half", "/app/locks/right/");

            await().atMost(Duration.ofSeconds(60)).until(() -> {
                assertThat(left.state()).isNotEqualTo(HoldState.LOST);
                return right.state() == HoldState.LOST;
            });
            assertThatThrownBy(() -> right.ensureValid(Duration.ZERO)).hasMessageContaining("permission denied");
            assertThat(left.remaining()).isPositive();
        }
    }

    /** As at a rotation: the servers know the new one first. */
    @Test
    @Tag("long")
    void hold_passwordChangesAndItsFileSecondsLater_goesOn() throws Exception {
        server.addUser("fickle", PASSWORD, "/app/");
        Path secret = Files.writeString(directory.resolve("fickle"), PASSWORD);
        CoordinatorOptions options =
                CoordinatorOptions.builder().ttl(Duration.ofSeconds(30)).build();
        try (Coordinator baton = Coordinator.connect(
                        EtcdStore.builder(server.uri("app"))
                                .user("fickle", Secret.file(secret))
                                .build(),
                        options);
                Hold hold = baton.lock("rotated").acquire()) {
            server.ctl().run("user", "delete", "fickle");
            server.ctl().run("user", "add", "fickle:another");
            server.ctl().run("user", "grant-role", "fickle", "fickle");
            await().atMost(Duration.ofSeconds(20)).until(() -> baton.state() == SessionState.SUSPENDED);
            await().until(() -> hold.state() == HoldState.JEOPARDY);

            Files.writeString(secret, "another");

            await().atMost(PATIENCE.multipliedBy(2)).until(() -> hold.state() == HoldState.HELD);
        }
    }

    @Test
    void requests_userDeletedWhileConnected_areOutOfContactUntilThereIsOneAgain() {
        server.addUser("gone", PASSWORD, "/app/");
        EtcdAddress address = EtcdAddress.parse(URI.create(server.uri("app")));
        var settings = new Settings(Optional.of(new Login.User("gone", Secret.of(PASSWORD))), Optional.empty());
        try (Witness wire = new Witness(PATIENCE, loop -> LiveEtcdWire.to(address, settings, new AtomicLong(), loop))
                .awaitConnected()) {
            server.ctl().run("user", "delete", "gone");
            assertThat(Witness.get(put(wire, "/app/f")).fault().code()).isEqualTo(Code.LOST);
            await().until(() -> wire.told.stream().anyMatch(what -> what.startsWith("disconnected")));
            await().until(() -> wire.troubles.stream().anyMatch(what -> what.contains("refuses the user 'gone'")));
            wire.told.clear();

            server.ctl().run("user", "add", "gone:" + PASSWORD);
            server.ctl().run("user", "grant-role", "gone", "gone");

            await().until(() -> wire.told.contains("connected"));
            assertThat(Witness.get(put(wire, "/app/f")).fault().code()).isEqualTo(Code.OK);
        }
    }

    /** Each of them makes the token of before worthless. */
    @Test
    @Tag("long")
    void requests_rolesChangeAllTheTime_areNeverRefused() throws Exception {
        try (Witness wire = connect()) {
            CompletableFuture<Void> changes = CompletableFuture.runAsync(() -> {
                for (int i = 0; i < 8; i++) {
                    server.addUser("passer-by-" + i, PASSWORD, "/elsewhere/");
                    server.ctl().run("user", "grant-role", "app", "passer-by-" + i);
                }
            });
            while (!changes.isDone()) {
                assertThat(Witness.get(put(wire, "/app/r")).fault().code()).isEqualTo(Code.OK);
            }
            changes.get();
        }
    }

    /** Tokens live for a second without use. */
    private static void awaitForgotten() {
        long since = System.nanoTime();
        await().pollInterval(Duration.ofMillis(100))
                .until(() ->
                        System.nanoTime() - since > Duration.ofMillis(2_500).toNanos());
    }
}
