package io.baton.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.spi.kernel.StepWire;
import io.baton.testkit.database.LocalDatabase;
import io.baton.testkit.database.LocalPostgres;
import io.baton.testkit.database.PostgresExtension;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

@Tag("postgres")
class PostgresRefusalsIT extends RefusalsContract {

    @RegisterExtension
    static final PostgresExtension postgres = new PostgresExtension();

    private String uri;

    @BeforeEach
    void newDatabase() {
        uri = postgres.uri();
    }

    @Override
    LocalDatabase server() {
        return postgres.server();
    }

    @Override
    String uri() {
        return uri;
    }

    @Override
    SqlDialect dialect() {
        return new PostgresDialect();
    }

    @Override
    String identifiedBy() {
        return "password";
    }

    @Override
    String grant(String rights, String user) {
        return "revoke create on schema public from public; grant " + rights + " on all tables in schema public to "
                + user;
    }

    @Override
    List<String> stranger(String user) {
        return List.of("create user " + user, "revoke connect on database " + database() + " from public");
    }

    @Override
    String readOnly(boolean begins) {
        return "alter database " + database() + " set default_transaction_read_only = " + (begins ? "on" : "off");
    }

    @Test
    void attach_standby_saysSoUntilItIsPromoted() throws Exception {
        LocalPostgres primary = postgres.server();
        try (LocalPostgres standby = LocalPostgres.builder().startStandby(primary.address())) {
            String there = uri.replace(":" + primary.port() + "/", ":" + standby.port() + "/");
            try (WireClient client = new WireClient(there + "&targetServerType=any", WireClient.TTL)) {
                CompletableFuture<StepWire.Attached> unanswered =
                        client.send(reply -> client.wire().attach(true, 0, reply));
                await().atMost(Duration.ofSeconds(60))
                        .untilAsserted(() -> assertThat(client.events)
                                .singleElement()
                                .asString()
                                .startsWith("disconnected: the server is a standby, which cannot write"));
                assertThat(unanswered).isNotDone();

                standby.promote();

                assertThat(client.attach(true).own()).isEmpty();
            }
        }
    }

    /** As while an orchestrator renews it. */
    @Test
    void connect_passwordFileIsMissing_isSaidAndTriedAgain(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("password");
        StoreDatabase database = JdbcAddress.parse(uri, Map.of("BATON_JDBC_PASSWORD_FILE", file.toString()))
                .database();
        assertThatThrownBy(() -> user(database))
                .isInstanceOfSatisfying(
                        UnfitDatabaseException.class,
                        missing -> assertThat(missing.isPassing()).isTrue());
        WireClient client = new WireClient(database, WireClient.TTL);
        try (client) {
            CompletableFuture<StepWire.Attached> unanswered =
                    client.send(reply -> client.wire().attach(true, 0, reply));
            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(client.events)
                            .containsExactly(
                                    "disconnected: cannot read the secret in " + file + ": there is no such file"));
            assertThat(unanswered).isNotDone();

            Files.writeString(file, "secret");
            assertThat(client.attach(true).own()).isEmpty();
        }
    }

    @Test
    void connect_credentialsInAFileChange_areReadForEachConnection(@TempDir Path directory) throws Exception {
        sql("create user former", "create user latter");
        Path file = directory.resolve("baton.properties");
        Files.writeString(file, "user=former");
        StoreDatabase database = JdbcAddress.parse(uri.replaceFirst("user=postgres", "baton.config=" + file), Map.of())
                .database();
        assertThat(user(database)).isEqualTo("former");

        Files.writeString(file, "user=latter");
        assertThat(user(database)).isEqualTo("latter");

        Files.delete(file);
        assertThatThrownBy(() -> user(database))
                .isInstanceOf(UnfitDatabaseException.class)
                .hasMessageContaining(file.toString());
    }

    private static String user(StoreDatabase database) throws Exception {
        StoreDatabase.Opened opened = database.open("s", Duration.ofSeconds(5));
        try (Connection ended = opened.connection()) {
            assertThat(ended.isClosed()).isFalse();
            return opened.rows("select current_user", List.of()).get(0).text(0);
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
    void connect_schemaIsMissing_saysSo() {
        refused(uri() + "&currentSchema=nowhere", "no place for Baton's tables", "name a database, or a schema");
    }

    /** Programs that share its connections would lose commits, and have statements ended. */
    @Test
    void connect_poolerHandsEachTransactionToAnotherConnection_isRefusedBeforeAnythingIsSet() throws Exception {
        try (Connection one = DriverManager.getConnection(uri);
                Connection two = DriverManager.getConnection(uri)) {
            AtomicInteger transactions = new AtomicInteger();
            Connection pooled = (Connection) Proxy.newProxyInstance(
                    getClass().getClassLoader(),
                    new Class<?>[] {Connection.class},
                    (proxy, method, values) -> method.invoke(
                            method.getName().equals("createStatement") && transactions.getAndIncrement() % 2 == 1
                                    ? two
                                    : one,
                            values));

            assertThatThrownBy(() -> new PostgresDialect().prepare(pooled, "s", Duration.ofSeconds(5)))
                    .isInstanceOf(UnfitDatabaseException.class)
                    .hasMessageContaining("pooler");

            for (Connection each : List.of(one, two)) {
                Flight ask = new Flight()
                        .add("select name from pg_settings where source = 'session' and name not like 'baton.%'"
                                + " and (name like '%timeout' or name = 'synchronous_commit')");
                assertThat(ask.oneByOne(each, false).get(0).rows()).isEmpty();
            }
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
