package io.baton.cli.lock;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.cli.BatonProcess;
import io.baton.testkit.database.LocalPostgres;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command on a database, with credentials from the environment. */
@Tag("postgres")
class JdbcLockCommandIT {

    private static LocalPostgres postgres;

    @TempDir
    Path directory;

    @BeforeAll
    static void start() {
        postgres = LocalPostgres.start();
    }

    @AfterAll
    static void stop() {
        postgres.close();
    }

    private static String uri() {
        return "jdbc:postgresql://127.0.0.1:" + postgres.port() + "/postgres";
    }

    @Test
    void lock_onADatabase_runsTheCommand() throws Exception {
        try (BatonProcess baton = BatonProcess.start(
                directory,
                Map.of("BATON_JDBC_USER", "postgres", "BATON_CONNECT", uri()),
                List.of("lock", "nightly", "--", "sh", "-c", "echo token $BATON_FENCING_TOKEN"))) {
            assertThat(baton.status()).as(baton.err()).isZero();
            assertThat(baton.out()).matches("(?s).*token \\d+\\s*");
        }
    }

    @Test
    void lock_passwordInTheUri_isRefusedWithoutShowingIt() throws Exception {
        try (BatonProcess baton = BatonProcess.start(
                directory,
                Map.of("BATON_CONNECT", uri() + "?user=postgres&password=secret"),
                List.of("lock", "nightly", "--", "true"))) {
            assertThat(baton.status()).isNotZero();
            assertThat(baton.err()).contains("BATON_JDBC_PASSWORD").doesNotContain("secret");
        }
    }

    @Test
    @Tag("long")
    void config_onADatabase_isSetAndRead() throws Exception {
        Map<String, String> environment = Map.of("BATON_JDBC_USER", "postgres", "BATON_CONNECT", uri());
        try (BatonProcess set =
                BatonProcess.start(directory, environment, List.of("config", "set", "payments.timeout=5s"))) {
            assertThat(set.status()).as(set.err()).isZero();
        }
        try (BatonProcess get =
                BatonProcess.start(directory, environment, List.of("config", "get", "payments.timeout"))) {
            assertThat(get.status()).as(get.err()).isZero();
            assertThat(get.out()).contains("5s");
        }
    }
}
