package io.baton.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.Coordinator;
import io.baton.Hold;
import io.baton.testkit.database.LocalPostgres;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A withdrawal ends its transaction, however it ends. */
@Tag("postgres")
@Timeout(180)
class AccountBookIT {

    @Test
    void withdraw_aStatementFails_isRolledBackAndTheNextCallerGetsTheLock() throws Exception {
        try (LocalPostgres postgres = LocalPostgres.start();
                Coordinator here = Coordinator.connect(postgres.url());
                Coordinator there = Coordinator.connect(postgres.url());
                Connection connection = DriverManager.getConnection(postgres.url());
                Connection other = DriverManager.getConnection(postgres.url())) {
            execute(connection, "create table account (id bigint primary key, balance bigint check (balance >= 0))");
            execute(connection, "insert into account (id, balance) values (1, 100)");
            try (Hold hold = here.lock("accounts").acquire()) {
                assertThatThrownBy(() -> AccountBook.withdraw(connection, hold, 1, 101))
                        .isInstanceOf(SQLException.class);
            }
            assertThat(connection.getAutoCommit()).isTrue();

            try (Hold next =
                    there.lock("accounts").tryAcquire(Duration.ofSeconds(60)).orElseThrow()) {
                AccountBook.withdraw(other, next, 1, 30);
            }

            assertThat(balance(connection)).isEqualTo(70);
        }
    }

    private static void execute(Connection connection, String statement) throws SQLException {
        try (Statement sql = connection.createStatement()) {
            sql.execute(statement);
        }
    }

    private static long balance(Connection connection) throws SQLException {
        try (Statement sql = connection.createStatement();
                ResultSet row = sql.executeQuery("select balance from account where id = 1")) {
            assertThat(row.next()).isTrue();
            return row.getLong(1);
        }
    }
}
