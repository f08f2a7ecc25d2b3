package io.baton.etcd.wire;

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
import io.baton.etcd.EtcdStore;
import io.baton.spi.support.KeyFile;
import io.baton.testkit.etcd.LocalEtcd;
import io.baton.testkit.server.Certificates;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** TLS to a real server: what works, and what each mistake is told as. */
@Tag("etcd")
@Timeout(120)
class TlsIT {

    private static final Secret PASSWORD = Secret.of(Certificates.PASSWORD);

    private static LocalEtcd server;
    private static Certificates certificates;
    private static Path trust;

    @TempDir
    Path directory;

    @BeforeAll
    static void start() {
        server = LocalEtcd.builder().tls().start();
        certificates = server.certificates().orElseThrow();
        trust = certificates.directory().resolve("trusts-server.p12");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void acquire_everyKindOfTrustStore_works() throws Exception {
        List<Path> kinds = List.of(
                trust,
                certificates.trusting("server", "JKS"),
                Files.copy(certificates.certificate("server"), directory.resolve("named-as-no-kind")));
        for (Path kind : kinds) {
            try (Coordinator baton = connect(builder(server).trustStore(kind, PASSWORD));
                    Hold hold = baton.lock("orders").acquire()) {
                assertThat(hold.remaining()).isPositive();
            }
        }
    }

    @Test
    void connect_fileNamedInTheUri_bringsTheTrustStore() throws Exception {
        Path secret = Files.writeString(directory.resolve("secret"), Certificates.PASSWORD);
        Path config = Files.writeString(
                directory.resolve("etcd.properties"), "truststore=" + trust + "\ntruststore.password.file=" + secret);
        try (Coordinator baton = Coordinator.connect(server.uri("configured") + "?config=" + config)) {
            baton.lock("orders").acquire().close();
        }
    }

    @Test
    void connect_serverWantsAClientsCertificate_worksWithOneAndSaysSoWithout() throws Exception {
        try (LocalEtcd strict =
                LocalEtcd.builder().tls("ip:127.0.0.1,dns:localhost", true).start()) {
            Certificates its = strict.certificates().orElseThrow();
            Path key = its.directory().resolve("client.p12");
            Path authority = its.certificate("server");
            connect(builder(strict).trustStore(authority).keyStore(key, PASSWORD))
                    .close();
            connect(builder(strict).trustStore(authority).keyStore(pem(key, "client")))
                    .close();
            assertThatThrownBy(() -> connect(builder(strict).trustStore(authority)))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("127.0.0.1:" + strict.port())
                    .hasMessageContaining("set keystore");
        }
    }

    @Test
    void connect_certificateNotTrusted_saysSoInsteadOfTimingOut() {
        certificates.key("stranger", "dns:stranger");
        Path stranger = certificates.trusting("stranger", "PKCS12");
        assertThatThrownBy(() -> connect(builder(server).trustStore(stranger, PASSWORD)))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("certificate that is not trusted")
                .hasMessageContaining("set truststore");
    }

    @Test
    void connect_certificateForAnotherHost_saysSoInsteadOfTimingOut() {
        try (LocalEtcd other =
                LocalEtcd.builder().tls("ip:127.0.0.1,dns:elsewhere", false).start()) {
            Path authority = other.certificates().orElseThrow().certificate("server");
            String uri = other.uri("app").replace("127.0.0.1", "localhost");
            assertThatThrownBy(() -> connect(EtcdStore.builder(uri).trustStore(authority)))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("certificate for another host");
        }
    }

    @Test
    void connect_inTheClearToAPortWithTls_saysWhichSchemeToUse() {
        assertThatThrownBy(() -> Coordinator.connect(server.uri("clear").replaceFirst("^etcds:", "etcd:")))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("127.0.0.1:" + server.port())
                .hasMessageContaining("speaks TLS only: use etcds://");
    }

    @Test
    void connect_withTlsToAPortInTheClear_saysWhichSchemeToUse() {
        try (LocalEtcd clear = LocalEtcd.start()) {
            String uri = clear.uri("tls").replaceFirst("^etcd:", "etcds:");
            assertThatThrownBy(() -> Coordinator.connect(uri))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("127.0.0.1:" + clear.port() + " does not speak TLS")
                    .hasMessageContaining("use etcd://");
        }
    }

    @Test
    void build_wrongPasswordOfAStore_saysWhichStore() {
        assertThatThrownBy(() -> builder(server)
                        .trustStore(trust, Secret.of("wrong-secret"))
                        .build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(trust.toString())
                .hasMessageNotContaining("wrong-secret");
    }

    /** As operators do: the new certificate is trusted before it is used, and the old one is not any more. */
    @Test
    void hold_certificatesRenewed_goesOnAfterTheNextBreak() throws Exception {
        try (LocalEtcd renewed =
                LocalEtcd.builder().tls("ip:127.0.0.1,dns:localhost", true).start()) {
            Certificates its = renewed.certificates().orElseThrow();
            Path trusted = Files.copy(its.certificate("server"), directory.resolve("trusted.pem"));
            Path own = Files.copy(its.directory().resolve("client.p12"), directory.resolve("own.p12"));
            CoordinatorOptions options =
                    CoordinatorOptions.builder().ttl(Duration.ofSeconds(30)).build();
            try (Coordinator baton = Coordinator.connect(
                            builder(renewed)
                                    .trustStore(trusted)
                                    .keyStore(own, PASSWORD)
                                    .build(),
                            options);
                    Hold hold = baton.lock("orders").acquire()) {
                renewed.renewCertificates("ip:127.0.0.1,dns:localhost");
                renewed.kill();
                await().until(() -> baton.state() == SessionState.SUSPENDED);
                Files.writeString(trusted, "-----BEGIN CERTIFICATE-----\nhalf of it");
                Files.write(own, new byte[0]);
                renewed.restart();
                assertThat(baton.state()).isEqualTo(SessionState.SUSPENDED);

                Files.copy(its.certificate("server"), trusted, StandardCopyOption.REPLACE_EXISTING);
                Files.copy(its.directory().resolve("client.p12"), own, StandardCopyOption.REPLACE_EXISTING);

                await().atMost(Duration.ofSeconds(20)).until(() -> hold.state() == HoldState.HELD);
            }
        }
    }

    @Test
    void plainContext_filesThatCannotBeUsed_isTheFormerOne() throws Exception {
        Path own = Files.copy(trust, directory.resolve("own.p12"));
        var tls = new RenewedTls(new Tls(Optional.of(new KeyFile(own, Optional.of(PASSWORD))), Optional.empty()));
        SSLContext first = tls.plainContext();
        Files.write(own, new byte[] {1, 2, 3});
        assertThat(tls.plainContext()).isSameAs(first);
        Files.copy(certificates.certificate("server"), own, StandardCopyOption.REPLACE_EXISTING);
        assertThat(tls.plainContext()).isNotSameAs(first);
    }

    private static EtcdStore.Builder builder(LocalEtcd at) {
        return EtcdStore.builder(at.uri("tls"));
    }

    private static Coordinator connect(EtcdStore.Builder builder) throws InterruptedException {
        return Coordinator.connect(builder.build(), CoordinatorOptions.defaults());
    }

    /** The same key as text, without a password. */
    private Path pem(Path store, String alias) throws IOException, GeneralSecurityException {
        char[] password = Certificates.PASSWORD.toCharArray();
        KeyStore keys = KeyStore.getInstance(store.toFile(), password);
        Base64.Encoder encoder = Base64.getMimeEncoder();
        return Files.writeString(
                directory.resolve("client.pem"),
                "-----BEGIN CERTIFICATE-----\n"
                        + encoder.encodeToString(keys.getCertificate(alias).getEncoded())
                        + "\n-----END CERTIFICATE-----\n-----BEGIN PRIVATE KEY-----\n"
                        + encoder.encodeToString(keys.getKey(alias, password).getEncoded())
                        + "\n-----END PRIVATE KEY-----\n");
    }
}
