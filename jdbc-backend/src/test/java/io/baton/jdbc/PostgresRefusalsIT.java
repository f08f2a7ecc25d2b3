package io.baton.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.testkit.database.PostgresExtension;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What cannot work is refused, and said why. */
@Tag("postgres")
class PostgresRefusalsIT {

    @RegisterExtension
    static final PostgresExtension postgres = new PostgresExtension();

    private static final CoordinatorOptions PATIENT =
            CoordinatorOptions.builder().connectTimeout(Duration.ofSeconds(60)).build();

    private String uri;

    @BeforeEach
    void newDatabase() {
        uri = postgres.uri();
    }

    private void sql(String... statements) throws SQLException {
        try (Connection connection = DriverManager.getConnection(uri);
                Statement statement = connection.createStatement()) {
            for (String each : statements) {
                statement.execute(each);
            }
        }
    }

    private static void refused(String uri, String... words) {
        assertThatThrownBy(() -> Coordinator.connect(uri, PATIENT).close())
                .satisfies(refused ->
                        assertThat(refused.toString() + refused.getCause()).contains(words));
    }

    @Test
    void connect_tablesMissingAndOnlyVerified_namesTheScript() {
        refused(uri + "&baton.schema=verify", "tables are missing", "postgresql.sql");
    }

    @Test
    void connect_tablesMadeByTheScript_isVerified() throws Exception {
        sql(StoreSchema.script(new PostgresDialect()));
        try (Coordinator baton = Coordinator.connect(uri + "&baton.schema=verify", PATIENT)) {
            baton.lock("made").acquire().close();
        }
    }

    @Test
    void connect_tablesMissingAndNoRightToCreate_namesTheScript() throws Exception {
        sql("create user reader", "revoke create on schema public from public");
        refused(uri.replace("user=postgres", "user=reader"), "tables are missing", "may not create", "postgresql.sql");
    }

    @Test
    void connect_newerTables_wantsANewerRelease() throws Exception {
        Coordinator.connect(uri, PATIENT).close();
        sql("update baton_store set schema_version = 2");
        refused(uri, "version 2", "newer release");
    }

    @Test
    void connect_readOnly_saysSo() throws Exception {
        Coordinator.connect(uri, PATIENT).close();
        String database = uri.replaceFirst(".*/", "").replaceFirst("\\?.*", "");
        sql("alter database " + database + " set default_transaction_read_only = on");
        CoordinatorOptions options = CoordinatorOptions.builder()
                .connectTimeout(Duration.ofSeconds(10))
                .build();
        assertThatThrownBy(() -> Coordinator.connect(uri + "&targetServerType=any", options)
                        .close())
                .hasMessageContaining("read-only");
    }

    @Test
    void connect_unknownDatabaseOrUser_saysSo() {
        refused(uri.replaceFirst("/t[a-z0-9_]+\\?", "/nowhere?"), "login", "nowhere");
        refused(uri.replace("user=postgres", "user=nobody"), "login", "nobody");
    }

    @Test
    void connect_unprivilegedUserOfItsOwnTables_works() throws Exception {
        sql(
                StoreSchema.script(new PostgresDialect()),
                "create user app",
                "grant select, insert, update, delete on all tables in schema public to app");
        try (Coordinator baton = Coordinator.connect(uri.replace("user=postgres", "user=app"), PATIENT)) {
            baton.lock("plain").acquire().close();
        }
    }

    @Test
    void beat_connectionIsAnotherOne_isOver() throws Exception {
        // As a pooler does that hands each transaction to another connection, the session's settings are gone.
        Coordinator.connect(uri, PATIENT).close();
        SqlDialect dialect = new PostgresDialect();
        try (Connection connection = DriverManager.getConnection(uri)) {
            dialect.prepare(connection, "s", Duration.ofSeconds(5));
            assertThat(dialect.pushes(connection, "s")).isPresent();
            assertThat(listens(dialect, connection)).isTrue();
            try (Statement statement = connection.createStatement()) {
                statement.execute("unlisten *");
            }
            connection.commit();
            assertThat(listens(dialect, connection)).isFalse();
        }
    }

    @Test
    void classify_connectionEndedByALimitOfTime_isBroken() {
        for (String state : List.of("25P03", "25P04", "57P05")) {
            assertThat(new PostgresDialect().classify(new SQLException("ended", state)))
                    .isEqualTo(SqlDialect.Fault.BROKEN);
        }
    }

    private static boolean listens(SqlDialect dialect, Connection connection) throws SQLException {
        Flight ask = new Flight().add(dialect.listens().orElseThrow(), "s", "s");
        return dialect.execute(connection, ask, true).get(0).first().flag(0);
    }

    @Test
    void parse_passwordInTheUri_isRefusedWithoutShowingIt() {
        assertThatThrownBy(() -> JdbcAddress.parse(uri + "&password=secret", Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("BATON_JDBC_PASSWORD")
                .hasMessageNotContaining("secret");
    }

    @Test
    void parse_parametersOfBaton_areTakenOutAndChecked() {
        assertThat(JdbcAddress.parse(uri + "&baton.schema=verify", Map.of()).toString())
                .doesNotContain("?");
        assertThatThrownBy(() -> JdbcAddress.parse(uri + "&baton.schema=drop", Map.of()))
                .hasMessageContaining("baton.schema=create");
        assertThatThrownBy(() -> JdbcAddress.parse("jdbc:oracle:thin:x", Map.of()))
                .hasMessageContaining("jdbc:postgresql");
        assertThatThrownBy(() -> JdbcAddress.parse("jdbc:mysql://host/database", Map.of()))
                .hasMessageContaining("mysql-connector-j");
    }
}
