package io.baton.testkit.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("postgres")
@Timeout(240)
class LocalPostgresIT extends LocalDatabaseContract<LocalPostgres> {

    LocalPostgresIT() {
        super("postgres");
    }

    @Override
    LocalPostgres start() {
        return LocalPostgres.start();
    }

    @Override
    void kill(LocalPostgres server) {
        server.kill();
    }

    @Override
    void restart(LocalPostgres server) {
        server.restart();
    }

    @Test
    void crash_underLoad_endsAllProcessesAndKeepsWhatWasCommitted() throws Exception {
        try (LocalPostgres server = LocalPostgres.builder().start()) {
            execute(server, "create table told (word varchar(9))", "insert into told values ('kept')");
            try (Connection busy = DriverManager.getConnection(server.url())) {
                List<ProcessHandle> all = ProcessHandle.of(server.pid())
                        .orElseThrow()
                        .descendants()
                        .toList();
                assertThat(all).isNotEmpty();

                server.crash();

                assertThat(server.isRunning()).isFalse();
                assertThatThrownBy(() -> query(busy, "select 1")).isInstanceOf(SQLException.class);
                server.restart();
            }
            assertThat(query(server, "select word from told")).isEqualTo("kept");
        }
    }

    @Test
    void freeze_answersNothingUntilWoken() throws Exception {
        try (LocalPostgres server = LocalPostgres.start();
                Connection connection = DriverManager.getConnection(server.url() + "&socketTimeout=1");
                Connection patient = DriverManager.getConnection(server.url())) {
            server.freeze();
            assertThatThrownBy(() -> query(connection, "select 1")).isInstanceOf(SQLException.class);

            server.wake();

            assertThat(query(patient, "select 1")).isEqualTo("1");
        }
    }

    @Test
    void standby_promoted_hasWhatItWasSentAndWrites() throws Exception {
        try (LocalPostgres primary = LocalPostgres.builder().start()) {
            execute(primary, "create table told (word varchar(9))");
            try (LocalPostgres standby = LocalPostgres.builder().startStandby(primary.address())) {
                execute(primary, "insert into told values ('sent')");
                await().atMost(Duration.ofSeconds(60))
                        .untilAsserted(() -> assertThat(query(standby, "select max(word) from told"))
                                .isEqualTo("sent"));
                assertThatThrownBy(() -> execute(standby, "insert into told values ('no')"))
                        .isInstanceOf(SQLException.class);
                primary.crash();

                standby.promote();

                execute(standby, "insert into told values ('written')");
                assertThat(query(standby, "select count(*) from told")).isEqualTo("2");
            }
        }
    }

    private static void execute(LocalPostgres server, String... statements) throws SQLException {
        try (Connection connection = DriverManager.getConnection(server.url());
                Statement sql = connection.createStatement()) {
            for (String each : statements) {
                sql.execute(each);
            }
        }
    }

    private static String query(LocalPostgres server, String query) throws SQLException {
        try (Connection connection = DriverManager.getConnection(server.url())) {
            return query(connection, query);
        }
    }

    private static String query(Connection connection, String query) throws SQLException {
        try (Statement sql = connection.createStatement();
                ResultSet rows = sql.executeQuery(query)) {
            rows.next();
            return String.valueOf(rows.getString(1));
        }
    }
}
