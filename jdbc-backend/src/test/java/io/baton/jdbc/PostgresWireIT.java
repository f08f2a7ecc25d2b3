package io.baton.jdbc;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.spi.kernel.StepWire.Standing;
import io.baton.testkit.database.PostgresExtension;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("postgres")
class PostgresWireIT extends WireContract {

    @RegisterExtension
    static final PostgresExtension postgres = new PostgresExtension();

    @Override
    String uri() {
        return postgres.uri();
    }

    @Override
    void crash() {
        postgres.server().kill();
        postgres.server().restart();
    }

    /** The database ends what is idle for so long. Nothing uses this connection while a lock is held. */
    @Test
    void work_idleForLongerThanTheDatabaseAllows_stays() throws Exception {
        WireClient tables = client();
        String database = uri().replaceFirst(".*/", "").replaceFirst("\\?.*", "");
        sql("alter database " + database + " set idle_session_timeout = '2s'");
        WireClient client = client();
        Standing standing = client.join(LINE);

        eventually(() -> {
            assertThat(client.beat(List.of(standing.name()), List.of()).own()).hasSize(1);
            assertThat(number("select count(*) from pg_stat_activity where datname = current_database()"
                            + " and state = 'idle' and clock_timestamp() - state_change > interval '5 s'"))
                    .isEqualTo(3); // and the two of the first client, which were there before
        });

        assertThat(client.leave(LINE, standing).busy()).isEmpty();
        assertThat(client.events).isEmpty();
        assertThat(tables.events).isEmpty();
    }

    /** Its coordinator has returned, and the session's connections still have to be given up. */
    @Test
    void close_serverFrozenForLongerThanTheCloseTimeout_leavesNeitherThreadNorConnection() throws Exception {
        CoordinatorOptions options = CoordinatorOptions.builder()
                .ttl(Duration.ofSeconds(4))
                .closeTimeout(Duration.ofMillis(200))
                .build();
        // Threads are in the group of the one that starts them; other tests have theirs at the same time.
        var group = new ThreadGroup("of this test");
        Coordinator baton = CompletableFuture.supplyAsync(
                        () -> connect(options), task -> new Thread(group, task).start())
                .get(30, SECONDS);
        baton.records("stock").put("tickets", "1");
        assertThat(jdbcThreads(group)).isNotEmpty();
        postgres.server().freeze();

        baton.close();
        postgres.server().wake();

        eventually(() -> {
            assertThat(jdbcThreads(group)).isEmpty();
            assertThat(number("select count(*) from pg_stat_activity where datname = current_database()"
                            + " and backend_type = 'client backend' and pid <> pg_backend_pid()"))
                    .isZero();
        });
    }

    private static List<String> jdbcThreads(ThreadGroup group) {
        var threads = new Thread[100];
        return Arrays.stream(threads, 0, group.enumerate(threads))
                .map(Thread::getName)
                .filter(name -> name.startsWith("baton-jdbc-"))
                .toList();
    }

    private Coordinator connect(CoordinatorOptions options) {
        try {
            return Coordinator.connect(uri(), options);
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    @Test
    void prepare_serverLooksForVanishedClients_everyHalfAMinute() throws Exception {
        StoreDatabase.Opened opened =
                JdbcAddress.parse(uri(), Map.of()).database().open("s", WireClient.TTL);
        try (Connection ended = opened.connection()) {
            assertThat(ended.isClosed()).isFalse();
            assertThat(opened
                            .rows(
                                    "select name || '=' || setting from pg_settings where name like 'tcp_keepalives%'"
                                            + " order by name",
                                    List.of())
                            .stream()
                            .map(row -> row.text(0)))
                    .containsExactly("tcp_keepalives_count=3", "tcp_keepalives_idle=30", "tcp_keepalives_interval=10");
        }
    }

    @Override
    List<String> slowDown(String table) {
        return List.of(
                "create function dawdle() returns trigger language plpgsql as"
                        + " 'begin perform pg_sleep(0.4); return new; end'",
                "create trigger dawdle before update on " + table + " for each row execute function dawdle()");
    }

    @Override
    String longestIdle() {
        return "select setting from pg_settings where name = 'idle_in_transaction_session_timeout'";
    }

    @Override
    String longWait() {
        return "pg_sleep(30) s";
    }

    /** A thousand members that each follow all of them would read a million rows with each change. */
    @Test
    void pushes_toManyFollowers_computeTheVersionOnce() throws Exception {
        WireClient one = client();
        assertThat(one.join(LINE).clear()).isTrue();
        Sql sql = new Sql(new PostgresDialect());
        byte[] path = Sql.key(LINE);
        assertThat(plan(sql.entriesPushes, path, path, path, path)).contains("InitPlan");
        assertThat(plan(sql.headPushes + "?", path, path, path, path, path, path, 1L))
                .contains("InitPlan");
        assertThat(plan(sql.treePushes, path, path)).contains("InitPlan");
    }

    /** How the server would execute a query, none of whose parts depends on a row of another. */
    private static String plan(String query, Object... values) throws SQLException {
        try (Connection connection = DriverManager.getConnection(postgres.uri())) {
            String plan = new Flight()
                    .add("explain " + query, values).oneByOne(connection, false).get(0).rows().stream()
                            .map(row -> row.text(0))
                            .collect(Collectors.joining("\n"));
            assertThat(plan).doesNotContain("SubPlan");
            return plan;
        }
    }

    @Override
    String speedUp(String table) {
        return "drop function dawdle cascade";
    }
}
