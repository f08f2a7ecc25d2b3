package io.baton.fence.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.LockLostException;
import io.baton.testkit.database.PostgresExtension;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("postgres")
class PostgresFenceIT extends FenceContract {

    @RegisterExtension
    static final PostgresExtension postgres = new PostgresExtension();

    PostgresFenceIT() {
        super(Database.POSTGRESQL, true);
    }

    @Override
    String url() {
        return postgres.server().uri("/fences");
    }

    /** The row is there, and was not written. */
    @Test
    void update_triggerSkipsTheRow_isNotTakenForApplied() throws SQLException {
        FencedTable frozen = FencedTable.of("frozen", "id", "fence");
        try (Connection connection = DriverManager.getConnection(url());
                Statement sql = connection.createStatement()) {
            sql.execute("create table frozen (id integer primary key, balance integer, fence bigint)");
            sql.execute("insert into frozen values (7, 100, 3)");
            sql.execute("create function skip() returns trigger language plpgsql as 'begin return null; end'");
            sql.execute("create trigger skip before update on frozen for each row execute function skip()");

            assertThat(frozen.claim(connection, 5, 8)).isFalse();
            assertThatThrownBy(() -> frozen.update(connection, 5, 7, "balance = ?", 90))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("trigger");
            assertThat(connection.getAutoCommit()).isTrue();
            connection.setAutoCommit(false);
            assertThatThrownBy(() -> frozen.claim(connection, 5, 7)).isInstanceOf(SQLException.class);
            connection.rollback();
            assertThatThrownBy(() -> frozen.claim(connection, 2, 7)).isInstanceOf(LockLostException.class);
        }
    }
}
