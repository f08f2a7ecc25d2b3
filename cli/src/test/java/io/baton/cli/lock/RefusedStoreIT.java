package io.baton.cli.lock;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.cli.BatonProcess;
import io.baton.cli.Exit;
import io.baton.testkit.server.Certificates;
import io.baton.testkit.zookeeper.SecureZooKeeper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** A store with TLS and credentials: what the command says if something is wrong with them. One line each time. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RefusedStoreIT {

    /** The first contact with a server of TLS takes long on a busy machine. */
    private static final String[] PATIENT = {"--timeout", "50s"};

    @TempDir
    Path directory;

    private Secured server;

    /** A server that is used over TLS by those who say who they are. */
    interface Secured extends AutoCloseable {

        String uri();

        Path trustStore();

        /** What the variables of its settings begin with, and those that say who one is. */
        String variables();

        String login();

        /** What the command says of credentials that are wrong. */
        String refusal();

        @Override
        void close();
    }

    Secured start() {
        return new SecuredZooKeeper(SecureZooKeeper.start());
    }

    private record SecuredZooKeeper(SecureZooKeeper server) implements Secured {

        @Override
        public String uri() {
            return server.uri("cli");
        }

        @Override
        public Path trustStore() {
            return server.trustStore();
        }

        @Override
        public String variables() {
            return "BATON_ZK_";
        }

        @Override
        public String login() {
            return variables() + "DIGEST_";
        }

        @Override
        public String refusal() {
            return "credentials are missing or wrong";
        }

        @Override
        public void close() {
            server.close();
        }
    }

    @BeforeAll
    void startServer() {
        server = start();
    }

    @AfterAll
    void stopServer() {
        server.close();
    }

    @Test
    void lock_settingsFromTheEnvironment_works() throws Exception {
        try (BatonProcess baton = lock(trusted(), PATIENT)) {
            assertThat(baton.status()).as(baton.err()).isZero();
        }
    }

    @Test
    void lock_settingsFromAFile_works() throws Exception {
        String prefix = server.variables();
        Path file = directory.resolve("settings");
        Files.write(
                file,
                trusted().entrySet().stream()
                        .map(set -> set.getKey()
                                        .substring(prefix.length())
                                        .toLowerCase(Locale.ROOT)
                                        .replace('_', '.') + "=" + set.getValue())
                        .toList());
        var environment =
                Map.of("BATON_CONNECT", server.uri() + (server.uri().contains("?") ? "&" : "?") + "config=" + file);
        try (BatonProcess baton = start(environment, PATIENT)) {
            assertThat(baton.status()).as(baton.err()).isZero();
        }
    }

    @Test
    void lock_wrongCredentials_isOneLineAndStatus69() throws Exception {
        try (BatonProcess right = lock(trusted(), PATIENT)) {
            assertThat(right.status()).isZero();
        }
        Map<String, String> wrong = trusted();
        wrong.remove(server.login() + "PASSWORD_FILE");
        wrong.put(server.login() + "PASSWORD", "wrong-secret");

        assertRefused(wrong, Exit.UNAVAILABLE, server.refusal());
    }

    @Test
    void lock_certificateNotTrusted_isOneLineAndStatus69() throws Exception {
        assertRefused(Map.of(), Exit.UNAVAILABLE, "certificate that is not trusted");
    }

    @Test
    void lock_wrongPasswordOfTheTrustStore_isOneLineAndStatus64() throws Exception {
        Map<String, String> wrong = trusted();
        wrong.put(server.variables() + "TRUSTSTORE_PASSWORD", "wrong-secret");

        assertRefused(wrong, Exit.USAGE, server.trustStore() + ": ");
    }

    private void assertRefused(Map<String, String> settings, int status, String says) throws Exception {
        try (BatonProcess baton = lock(settings)) {
            assertThat(baton.status()).isEqualTo(status);
            assertThat(baton.err().lines()).singleElement().asString().contains(says);
            assertThat(baton.err()).doesNotContain("wrong-secret");
        }
    }

    private BatonProcess lock(Map<String, String> settings, String... options) {
        var environment = new HashMap<>(settings);
        environment.put("BATON_CONNECT", server.uri());
        return start(environment, options);
    }

    private BatonProcess start(Map<String, String> environment, String... options) {
        var line = new ArrayList<>(List.of("lock"));
        line.addAll(List.of(options));
        line.addAll(List.of("orders", "--", "true"));
        return BatonProcess.start(directory, environment, line);
    }

    private Map<String, String> trusted() throws Exception {
        Path secret = Files.writeString(directory.resolve("secret"), Certificates.PASSWORD);
        return new HashMap<>(Map.of(
                server.variables() + "TRUSTSTORE",
                server.trustStore().toString(),
                server.variables() + "TRUSTSTORE_PASSWORD",
                Certificates.PASSWORD,
                server.login() + "USER",
                "cli",
                server.login() + "PASSWORD_FILE",
                secret.toString()));
    }
}
