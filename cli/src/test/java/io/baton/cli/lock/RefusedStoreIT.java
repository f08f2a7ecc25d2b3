package io.baton.cli.lock;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.cli.BatonProcess;
import io.baton.cli.Exit;
import io.baton.testkit.server.Certificates;
import io.baton.testkit.zookeeper.SecureZooKeeper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store with TLS and credentials: what the command says if something is wrong with them. One line each time. */
class RefusedStoreIT {

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
    void lock_settingsFromTheEnvironment_works() throws Exception {
        try (BatonProcess baton = lock(trusted())) {
            assertThat(baton.status()).as(baton.err()).isZero();
        }
    }

    @Test
    void lock_wrongCredentials_isOneLineAndStatus69() throws Exception {
        try (BatonProcess right = lock(trusted())) {
            assertThat(right.status()).isZero();
        }
        Map<String, String> wrong = trusted();
        wrong.remove("BATON_ZK_DIGEST_PASSWORD_FILE");
        wrong.put("BATON_ZK_DIGEST_PASSWORD", "wrong-secret");

        assertRefused(wrong, Exit.UNAVAILABLE, "credentials are missing or wrong");
    }

    @Test
    void lock_certificateNotTrusted_isOneLineAndStatus69() throws Exception {
        assertRefused(Map.of(), Exit.UNAVAILABLE, "certificate that is not trusted");
    }

    @Test
    void lock_wrongPasswordOfTheTrustStore_isOneLineAndStatus64() throws Exception {
        Map<String, String> wrong = trusted();
        wrong.put("BATON_ZK_TRUSTSTORE_PASSWORD", "wrong-secret");

        assertRefused(wrong, Exit.USAGE, "cannot open the trust store " + server.trustStore());
    }

    private void assertRefused(Map<String, String> settings, int status, String says) throws Exception {
        try (BatonProcess baton = lock(settings)) {
            assertThat(baton.status()).isEqualTo(status);
            assertThat(baton.err().lines()).singleElement().asString().contains(says);
            assertThat(baton.err()).doesNotContain("wrong-secret");
        }
    }

    private BatonProcess lock(Map<String, String> settings) {
        var environment = new HashMap<>(settings);
        environment.put("BATON_CONNECT", server.uri("cli"));
        return BatonProcess.start(directory, environment, List.of("lock", "orders", "--", "true"));
    }

    private Map<String, String> trusted() throws Exception {
        Path secret = Files.writeString(directory.resolve("secret"), Certificates.PASSWORD);
        return new HashMap<>(Map.of(
                "BATON_ZK_TRUSTSTORE",
                server.trustStore().toString(),
                "BATON_ZK_TRUSTSTORE_PASSWORD",
                Certificates.PASSWORD,
                "BATON_ZK_DIGEST_USER",
                "cli",
                "BATON_ZK_DIGEST_PASSWORD_FILE",
                secret.toString()));
    }
}
