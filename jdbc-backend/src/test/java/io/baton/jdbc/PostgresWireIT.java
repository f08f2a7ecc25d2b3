package io.baton.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.testkit.database.PostgresExtension;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
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
