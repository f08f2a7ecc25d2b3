package io.baton.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.Coordinator;
import io.baton.LockLostException;
import io.baton.StaleTokenException;
import io.baton.fence.jdbc.Database;
import io.baton.fence.jdbc.FencedTable;
import io.baton.fence.jdbc.Fences;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

class BankTest {

    private final FencedTable accounts = FencedTable.of("account", "id", "fence");
    private final Fences fences = Fences.in("baton_fence", Database.H2);

    // tag::h2[]
    @Test
    void change_aLaterHolderHasClaimedMeanwhile_changesNothing() throws Exception {
        try (Connection connection = open("bank-change"); // jdbc:h2:mem:bank-change, with its table and column
                Coordinator baton = Coordinator.connect("mem:bank-change")) {
            Bank.change(baton, connection, 1, balance -> balance + 1);

            assertThatThrownBy(() -> Bank.change(baton, connection, 1, balance -> {
                        claimLater(connection); // as if this process was frozen here, and its hold had passed on
                        return 0;
                    }))
                    .isInstanceOf(StaleTokenException.class);

            assertThat(balances(connection)).isEqualTo("1=101 2=50 ");
        }
    }

    private void claimLater(Connection connection) {
        try {
            assertThat(accounts.claim(connection, Long.MAX_VALUE, 1)).isTrue();
        } catch (SQLException broken) {
            throw new IllegalStateException(broken);
        }
    }
    // end::h2[]

    @Test
    void close_movesAllOfIt_unlessALaterHolderWasThere() throws Exception {
        try (Connection connection = open("bank-close");
                Coordinator baton = Coordinator.connect("mem:bank-close")) {
            Bank.close(baton, fences, connection, 1, 2);
            assertThat(balances(connection)).isEqualTo("2=150 ");

            assertThat(connection.getAutoCommit()).isTrue();
            connection.setAutoCommit(false);
            fences.claim(connection, "accounts", Long.MAX_VALUE, 0);
            connection.commit();
            assertThatThrownBy(() -> Bank.close(baton, fences, connection, 2, 2))
                    .isInstanceOf(LockLostException.class);
            connection.commit();
            assertThat(balances(connection)).isEqualTo("2=150 ");
        }
    }

    @Test
    void close_aStatementFails_isRolledBackAndTheNextHolderMayClaim() throws Exception {
        try (Connection connection = open("bank-failing");
                Connection other = DriverManager.getConnection("jdbc:h2:mem:bank-failing");
                Coordinator baton = Coordinator.connect("mem:bank-failing")) {
            assertThatThrownBy(() -> Bank.close(baton, fences, connection, 7, 2))
                    .as("there is no account 7")
                    .isInstanceOf(SQLException.class);
            assertThat(connection.getAutoCommit()).isTrue();

            Bank.close(baton, fences, other, 1, 2);

            assertThat(balances(connection)).isEqualTo("2=150 ");
        }
    }

    private Connection open(String name) throws SQLException {
        Connection connection = DriverManager.getConnection("jdbc:h2:mem:" + name);
        try (Statement sql = connection.createStatement()) {
            sql.execute("create table account (id integer not null primary key, balance integer not null)");
            sql.execute(accounts.ddl());
            sql.execute("insert into account (id, balance) values (1, 100), (2, 50)");
        }
        fences.createTable(connection);
        return connection;
    }

    private static String balances(Connection connection) throws SQLException {
        StringBuilder all = new StringBuilder();
        try (Statement sql = connection.createStatement();
                ResultSet rows = sql.executeQuery("select id, balance from account order by id")) {
            while (rows.next()) {
                all.append(rows.getInt(1)).append('=').append(rows.getInt(2)).append(' ');
            }
        }
        return all.toString();
    }
}
