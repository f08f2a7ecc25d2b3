package io.baton.testkit.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CertificatesTest {

    @TempDir
    Path one;

    @TempDir
    Path other;

    @Test
    void copied_sameSetTwice_isMadeOnce() {
        var made = new AtomicInteger();
        for (Path directory : List.of(one, other)) {
            Certificates copied = Certificates.copied(directory, "of a test", certificates -> {
                made.incrementAndGet();
                certificates.key("server", "dns:localhost");
            });
            assertThat(copied.directory()).isEqualTo(directory);
        }
        assertThat(made).hasValue(1);
        assertThat(one.resolve("server.p12")).hasSameBinaryContentAs(other.resolve("server.p12"));
    }

    @Test
    void trusting_everyType_holdsTheCertificateAndNoKey() throws Exception {
        Certificates certificates = new Certificates(one);
        certificates.key("server", "dns:localhost");
        char[] password = Certificates.PASSWORD.toCharArray();
        KeyStore keys = KeyStore.getInstance(one.resolve("server.p12").toFile(), password);
        for (String type : List.of("PKCS12", "JKS")) {
            Path file = certificates.trusting("server", type);
            KeyStore trust = KeyStore.getInstance(file.toFile(), password);
            assertThat(trust.getType()).isEqualToIgnoringCase(type);
            assertThat(Collections.list(trust.aliases())).containsExactly("server");
            assertThat(trust.isCertificateEntry("server")).isTrue();
            assertThat(trust.getCertificate("server")).isEqualTo(keys.getCertificate("server"));
        }
    }
}
