package io.baton.testkit.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.baton.testkit.proxy.TcpProxy;
import io.baton.testkit.server.ChildProcess;
import io.baton.testkit.server.Directories;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("etcd")
@Timeout(120)
@Tag("long")
class LocalEtcdIT {

    static List<EtcdBinaries> versions() {
        return EtcdBinaries.all();
    }

    @ParameterizedTest
    @MethodSource("versions")
    void start_anyVersion_servesAndTellsWhatItHolds(EtcdBinaries version) {
        try (LocalEtcd etcd = LocalEtcd.builder().binaries(version).start()) {
            etcd.ctl().run("put", "/app/a", "1");
            etcd.ctl().run("put", "/app/b", "2");
            etcd.ctl().run("put", "/other", "3");

            assertThat(etcd.version()).isEqualTo(version.version());
            assertThat(etcd.keys("/app/")).containsExactly("/app/a", "/app/b");
            assertThat(etcd.delete("/app/a")).isTrue();
            assertThat(etcd.delete("/app/a")).isFalse();
            assertThat(etcd.keys("")).containsExactly("/app/b", "/other");
            assertThat(etcd.revision()).isEqualTo(5);
            assertThat(etcd.watches()).isZero();
        }
    }

    @ParameterizedTest
    @MethodSource("versions")
    void requests_areCountedByServiceAndMethod(EtcdBinaries version) {
        try (LocalEtcd etcd = LocalEtcd.builder().binaries(version).start()) {
            long puts = etcd.requests("KV/Put");
            etcd.ctl().run("put", "a", "1");
            etcd.ctl().run("put", "a", "2");
            String lease = grant(etcd);
            etcd.ctl().run("lease", "keep-alive", "--once", lease);

            assertThat(etcd.requests("KV/Put")).isEqualTo(puts + 2);
            assertThat(etcd.requests("Lease/LeaseKeepAlive")).isEqualTo(1);
            assertThat(etcd.requests()).doesNotContainKey("KV/Txn");
        }
    }

    @ParameterizedTest
    @MethodSource("versions")
    void killAndRestart_keepDataAndLeases(EtcdBinaries version) {
        try (LocalEtcd etcd = LocalEtcd.builder().binaries(version).start()) {
            String lease = grant(etcd);
            etcd.ctl().run("put", "--lease", lease, "mine", "1");

            etcd.kill();
            assertThat(etcd.isRunning()).isFalse();
            assertThat(etcd.ctl().attempt("get", "mine", "--dial-timeout", "100ms", "--command-timeout", "200ms"))
                    .isEmpty();
            etcd.restart();

            assertThat(etcd.isRunning()).isTrue();
            assertThat(etcd.keys("")).containsExactly("mine");
            assertThat(etcd.leases()).containsExactly(lease);
        }
    }

    @Test
    void expire_endsALeaseAndItsKeys() {
        try (LocalEtcd etcd = LocalEtcd.start()) {
            String lease = grant(etcd);
            etcd.ctl().run("put", "--lease", lease, "mine", "1");

            etcd.expire(Long.parseUnsignedLong(lease, 16));

            assertThat(etcd.leases()).isEmpty();
            assertThat(etcd.keys("")).isEmpty();
        }
    }

    @Test
    void compact_whatWasBeforeIsForgotten() {
        try (LocalEtcd etcd = LocalEtcd.start()) {
            etcd.ctl().run("put", "a", "1");
            etcd.ctl().run("put", "a", "2");

            etcd.compact();

            assertThatThrownBy(() -> etcd.ctl().run("get", "--rev", "2", "a"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("compacted");
            assertThat(etcd.ctl().run("get", "--print-value-only", "a").trim()).isEqualTo("2");
        }
    }

    @Test
    void freeze_keepsConnectionsAndAnswersNothing_wake_goesOn() throws Exception {
        try (LocalEtcd etcd = LocalEtcd.start();
                Socket client = new Socket(etcd.address().getAddress(), etcd.port())) {
            etcd.freeze();

            assertThat(etcd.ctl().attempt("get", "a", "--command-timeout", "300ms"))
                    .isEmpty();
            assertThat(etcd.isRunning()).isTrue();

            etcd.wake();
            await().until(() -> etcd.ctl().attempt("get", "a").isPresent());
            assertThat(client.isConnected()).isTrue();
        }
    }

    @Test
    void pace_shorterElections_allowShorterLeases() {
        try (LocalEtcd etcd = LocalEtcd.builder()
                .pace(Duration.ofMillis(50), Duration.ofMillis(500))
                .start()) {
            assertThat(etcd.ctl().run("lease", "grant", "1")).contains("TTL(1s)");
        }
    }

    @ParameterizedTest
    @MethodSource("versions")
    void tls_mutual_servesOnlyWhoShowsACertificate(EtcdBinaries version) {
        try (LocalEtcd etcd =
                LocalEtcd.builder().binaries(version).tls("ip:127.0.0.1", true).start()) {
            etcd.ctl().run("put", "a", "1");
            var stranger = new Etcdctl(version, etcd.endpoint(), new EtcdAccess(etcd.certificates(), false, false));

            assertThat(etcd.keys("")).containsExactly("a");
            assertThat(etcd.requests("KV/Put")).isEqualTo(1);
            assertThat(stranger.serves()).isFalse();
            assertThat(etcd.uri("app")).isEqualTo("etcds://127.0.0.1:" + etcd.port() + "/app");
        }
    }

    @ParameterizedTest
    @MethodSource("versions")
    void authentication_servesUsersWithinTheirBounds(EtcdBinaries version) {
        try (LocalEtcd etcd =
                LocalEtcd.builder().binaries(version).tls().authentication().start()) {
            etcd.addUser("shop", "s3cret", "/shop/");
            String[] shop = {"put", "/shop/a", "1", "--user", "shop:s3cret"};
            String[] elsewhere = {"put", "/bank/a", "1", "--user", "shop:s3cret"};

            assertThat(etcd.ctl().attempt(shop)).isPresent();
            assertThat(etcd.ctl().attempt(elsewhere)).isEmpty();
            etcd.restart();
            assertThat(etcd.keys("")).containsExactly("/shop/a");
        }
    }

    @Test
    void uri_throughAProxy_isReachedThere() {
        try (LocalEtcd etcd = LocalEtcd.start();
                TcpProxy proxy = TcpProxy.to(etcd.address())) {
            assertThat(etcd.uri()).isEqualTo("etcd://127.0.0.1:" + etcd.port());
            assertThat(etcd.uri(proxy, "/app")).isEqualTo("etcd://127.0.0.1:" + proxy.port() + "/app");
            var through = new Etcdctl(
                    EtcdBinaries.newest(), "127.0.0.1:" + proxy.port(), new EtcdAccess(Optional.empty(), false, false));
            assertThat(through.serves()).isTrue();
            assertThat(proxy.traffic().accepted()).isPositive();
        }
    }

    @Test
    void start_flagUnknown_tellsWhatTheServerSaid() {
        assertThatThrownBy(() -> LocalEtcd.builder().flag("--no-such-flag").start())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("no-such-flag");
    }

    @Test
    void start_hostThatNoCertificateCanHave_leavesNothingBehind() throws Exception {
        assertThatThrownBy(() -> LocalEtcd.builder().tls("ip:x", false).start())
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> EtcdCluster.builder().tls("ip:x", false).start())
                .isInstanceOf(IllegalStateException.class);

        assertThat(directories(Path.of(System.getProperty("java.io.tmpdir")))).isEmpty();
    }

    @Test
    void close_frozen_leavesNothingBehind() throws Exception {
        Set<Long> children = children();
        Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
        LocalEtcd etcd = LocalEtcd.start();
        etcd.freeze();
        assertThat(directories(temporary)).isNotEmpty();

        etcd.close();
        etcd.close();

        await().untilAsserted(() -> assertThat(children()).isEqualTo(children));
        assertThat(directories(temporary)).isEmpty();
        assertThatThrownBy(etcd::restart).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void start_interrupted_leavesNothingBehindAndStaysInterrupted() throws Exception {
        Set<Long> children = children();

        Thread.currentThread().interrupt();
        try {
            assertThatThrownBy(LocalEtcd::start).isInstanceOf(IllegalStateException.class);
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }

        assertThat(children()).isEqualTo(children);
        assertThat(directories(Path.of(System.getProperty("java.io.tmpdir")))).isEmpty();
    }

    /** As a test's timeout does, in whose midst the server is closed. */
    @Test
    void close_frozenAndInterrupted_leavesNothingBehindAndStaysInterrupted() throws Exception {
        Set<Long> children = children();
        LocalEtcd etcd = LocalEtcd.start();
        etcd.freeze();

        Thread.currentThread().interrupt();
        try {
            etcd.close();
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }

        assertThat(directories(Path.of(System.getProperty("java.io.tmpdir")))).isEmpty();
        await().untilAsserted(() -> assertThat(children()).isEqualTo(children));
    }

    @Test
    void process_parentIsKilled_endsWithIt() throws Exception {
        Process parent = ChildProcess.small(EtcdHolder.class, List.of(), List.of())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String[] said = parent.inputReader().readLine().split(" ");
        try {
            ProcessHandle server = ProcessHandle.of(Long.parseLong(said[0])).orElseThrow();

            parent.destroyForcibly();

            await().until(() -> !server.isAlive());
        } finally {
            Directories.delete(Path.of(said[1]));
        }
    }

    private static String grant(LocalEtcd etcd) {
        return etcd.ctl().run("lease", "grant", "60").split(" ")[1];
    }

    private static Set<Long> children() {
        return ProcessHandle.current().descendants().map(ProcessHandle::pid).collect(Collectors.toSet());
    }

    private static Set<Path> directories(Path parent) throws IOException {
        try (var files = Files.list(parent)) {
            return files.filter(file -> file.getFileName().toString().startsWith(Directories.prefix("etcd")))
                    .collect(Collectors.toSet());
        }
    }
}
