package io.baton.zookeeper.wire;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Hold;
import io.baton.HoldState;
import io.baton.Secret;
import io.baton.SessionState;
import io.baton.StoreUnavailableException;
import io.baton.spi.support.KeyFile;
import io.baton.testkit.proxy.Loopback;
import io.baton.testkit.proxy.TcpProxy;
import io.baton.testkit.server.Certificates;
import io.baton.testkit.zookeeper.LocalZooKeeper;
import io.baton.testkit.zookeeper.SecureZooKeeper;
import io.baton.zookeeper.ZooKeeperStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** TLS to a real server: what works, and what each mistake is told as. */
@Timeout(120)
class TlsIT {

    private static final Secret PASSWORD = Secret.of(Certificates.PASSWORD);

    private static SecureZooKeeper server;

    @TempDir
    Path directory;

    @BeforeAll
    static void start() {
        server = SecureZooKeeper.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void acquire_everyKindOfTrustStore_works() throws Exception {
        List<Path> kinds = List.of(
                server.trustStore(),
                server.certificates().trusting("server", "JKS"),
                Files.copy(server.certificates().certificate("server"), directory.resolve("named-as-no-kind")));
        for (Path trust : kinds) {
            try (Coordinator baton = connect(builder(server).trustStore(trust, PASSWORD));
                    Hold hold = baton.lock("orders").acquire()) {
                assertThat(hold.remaining()).isPositive();
            }
        }
    }

    @Test
    void connect_fileNamedInTheUri_bringsTrustStoreAndCredentials() throws Exception {
        Path secret = Files.writeString(directory.resolve("secret"), Certificates.PASSWORD);
        Path config = Files.writeString(
                directory.resolve("zk.properties"),
                "truststore=" + server.trustStore() + "\ntruststore.password.file=" + secret
                        + "\ndigest.user=app\ndigest.password.file=" + secret);

        try (Coordinator baton = Coordinator.connect(server.uri("configured") + "&config=" + config)) {
            baton.lock("orders").acquire().close();
        }
    }

    @Test
    void connect_serverWantsAClientsCertificate_worksWithOneAndSaysSoWithout() throws Exception {
        try (SecureZooKeeper strict = SecureZooKeeper.start("ip:127.0.0.1,dns:localhost", true)) {
            Path pem = pem(strict.clientKey(), "client");
            for (Path key : List.of(strict.clientKey(), pem)) {
                connect(builder(strict)
                                .trustStore(strict.trustStore(), PASSWORD)
                                .keyStore(key, key == pem ? Secret.of("") : PASSWORD))
                        .close();
            }
            assertThatThrownBy(() -> connect(builder(strict).trustStore(strict.trustStore(), PASSWORD)))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("set keystore");
        }
    }

    /** The library opens the files for each connection: a renewed one is used from the next on, a bad one not for ever. */
    @Test
    @Tag("long")
    void hold_trustStoreChanges_theNextConnectionUsesIt() throws Exception {
        server.certificates().key("former", "dns:former");
        Path former = server.certificates().trusting("former", "PKCS12");
        Path trust = Files.copy(server.trustStore(), directory.resolve("trusted.p12"));
        CoordinatorOptions options =
                CoordinatorOptions.builder().ttl(Duration.ofSeconds(4)).build();
        try (TcpProxy proxy = TcpProxy.to(server.address());
                Coordinator baton = Coordinator.connect(
                        ZooKeeperStore.builder(server.uri(proxy, "renewed"))
                                .trustStore(trust, PASSWORD)
                                .build(),
                        options);
                Hold hold = baton.lock("orders").acquire()) {
            Files.copy(former, trust, StandardCopyOption.REPLACE_EXISTING);
            proxy.cut();
            await().until(() -> hold.state() == HoldState.LOST);
            assertThat(baton.state()).isEqualTo(SessionState.SUSPENDED);

            Files.copy(server.trustStore(), trust, StandardCopyOption.REPLACE_EXISTING);

            await().atMost(Duration.ofSeconds(30)).until(() -> baton.state() == SessionState.CONNECTED);
        }
    }

    /** As where certificates last for hours, and are renewed by others: the one that the session began with is over by then. */
    @Test
    void hold_keyStoreIsRenewedAndTheConnectionBreaks_comesBackWithTheNewKeyAndSurvives() throws Exception {
        try (SecureZooKeeper strict = SecureZooKeeper.start("ip:127.0.0.1,dns:localhost", true);
                TcpProxy proxy = TcpProxy.to(strict.address())) {
            // The first contact with a server that has just started may take longer than a short certificate lasts.
            CoordinatorOptions options = CoordinatorOptions.builder()
                    .ttl(Duration.ofSeconds(30))
                    .connectTimeout(Duration.ofSeconds(60))
                    .build();
            Coordinator.connect(
                            builder(strict)
                                    .trustStore(strict.trustStore(), PASSWORD)
                                    .keyStore(strict.clientKey(), PASSWORD)
                                    .build(),
                            options)
                    .close();
            Path former = strict.certificates().issued("former", "clients", "dns:former", Duration.ofSeconds(15));
            Path key = Files.copy(former, directory.resolve("key.p12"));
            try (Coordinator baton = Coordinator.connect(
                            ZooKeeperStore.builder(strict.uri(proxy, "renewed"))
                                    .trustStore(strict.trustStore(), PASSWORD)
                                    .keyStore(key, PASSWORD)
                                    .build(),
                            options);
                    Hold hold = baton.lock("orders").acquire()) {
                Files.copy(strict.clientKey(), key, StandardCopyOption.REPLACE_EXISTING);
                await().atMost(Duration.ofSeconds(30)).until(() -> isOver(former, "former"));
                assertThatThrownBy(() -> connect(builder(strict)
                                .trustStore(strict.trustStore(), PASSWORD)
                                .keyStore(former, PASSWORD)))
                        .isInstanceOf(StoreUnavailableException.class);
                assertThat(baton.state()).isEqualTo(SessionState.CONNECTED);

                proxy.refuse();
                proxy.cut();
                await().until(() -> baton.state() == SessionState.SUSPENDED);
                proxy.accept();

                await().atMost(Duration.ofSeconds(60))
                        .until(() -> baton.state() == SessionState.CONNECTED || hold.state() == HoldState.LOST);
                assertThat(hold.state()).isEqualTo(HoldState.HELD);
                assertThat(baton.lock("orders").queue()).hasSize(1);
            }
        }
    }

    private static boolean isOver(Path store, String alias) throws IOException, GeneralSecurityException {
        KeyStore keys = KeyStore.getInstance(store.toFile(), Certificates.PASSWORD.toCharArray());
        Date end = ((X509Certificate) keys.getCertificate(alias)).getNotAfter();
        return end.before(new Date());
    }

    @Test
    void connect_certificateNotTrusted_saysSoInsteadOfTimingOut() throws Exception {
        server.certificates().key("stranger", "dns:stranger");
        Path stranger = server.certificates().trusting("stranger", "PKCS12");

        assertThatThrownBy(() -> connect(builder(server).trustStore(stranger, PASSWORD)))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("certificate that is not trusted")
                .hasMessageContaining("set truststore");
    }

    @Test
    void connect_certificateForAnotherHost_saysSoInsteadOfTimingOut() throws Exception {
        try (SecureZooKeeper other = SecureZooKeeper.start("dns:elsewhere", false)) {
            assertThatThrownBy(() -> connect(builder(other).trustStore(other.trustStore(), PASSWORD)))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("certificate for another host");
        }
    }

    @Test
    void connect_inTheClearToAPortWithTls_saysWhichSchemeToUse() {
        assertThatThrownBy(() -> Coordinator.connect(server.uri("clear").replaceFirst("^zks:", "zk:")))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("speaks TLS only: use zks://");
    }

    @Test
    void connect_withTlsToAPortInTheClear_saysWhichSchemeToUse() {
        try (LocalZooKeeper clear = LocalZooKeeper.start()) {
            String uri = clear.uri("tls").replaceFirst("^zk:", "zks:");

            assertThatThrownBy(() -> Coordinator.connect(uri))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("does not speak TLS")
                    .hasMessageContaining("use zk://");
        }
    }

    @Test
    void probe_serverThatHangsUp_isNotTakenForOneInTheClear() {
        try (TcpProxy nobodyBehind = TcpProxy.to(Loopback.at(Loopback.freePort()))) {
            var probe = new ServerProbe(
                    new ServerAddress("127.0.0.1", nobodyBehind.port()),
                    Optional.of(new Tls(Optional.empty(), Optional.empty())),
                    false);

            assertThat(probe.ask())
                    .hasValueSatisfying(said -> assertThat(said.kind()).isEqualTo(Diagnosis.Kind.HANGS_UP));
        }
    }

    @Test
    void probe_serverThatServes_findsNothingWrong() {
        var probe = new ServerProbe(
                new ServerAddress("localhost", server.address().getPort()),
                Optional.of(new Tls(
                        Optional.of(new KeyFile(server.trustStore(), Optional.of(PASSWORD))), Optional.empty())),
                false);

        // A server on a busy machine may not answer in the time that a probe allows.
        await().atMost(30, SECONDS).untilAsserted(() -> assertThat(probe.ask()).isEmpty());
    }

    @Test
    void build_wrongPasswordOfAStore_saysWhichStore() {
        assertThatThrownBy(() -> builder(server)
                        .trustStore(server.trustStore(), Secret.of("wrong-secret"))
                        .build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("trust store " + server.trustStore())
                .hasMessageContaining("password")
                .hasMessageNotContaining("wrong-secret");
        assertThatThrownBy(() -> builder(server)
                        .trustStore(server.trustStore(), PASSWORD)
                        .keyStore(server.clientKey(), Secret.of("wrong-secret"))
                        .build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("key store " + server.clientKey())
                .hasMessageNotContaining("wrong-secret");
    }

    private static ZooKeeperStore.Builder builder(SecureZooKeeper server) {
        return ZooKeeperStore.builder(server.uri("tls"));
    }

    private static Coordinator connect(ZooKeeperStore.Builder builder) throws InterruptedException {
        return Coordinator.connect(builder.build(), CoordinatorOptions.defaults());
    }

    /** Key and certificate as one PEM file. */
    private Path pem(Path store, String alias) throws IOException, GeneralSecurityException {
        char[] password = Certificates.PASSWORD.toCharArray();
        KeyStore keys = KeyStore.getInstance(store.toFile(), password);
        Key key = keys.getKey(alias, password);
        return Files.writeString(
                directory.resolve(alias + "-both"),
                block("PRIVATE KEY", key.getEncoded())
                        + block("CERTIFICATE", keys.getCertificate(alias).getEncoded()));
    }

    private static String block(String kind, byte[] content) {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        return "-----BEGIN " + kind + "-----\n" + text + "\n-----END " + kind + "-----\n";
    }
}
