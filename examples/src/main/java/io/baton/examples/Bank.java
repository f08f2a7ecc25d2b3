package io.baton.examples;

import io.baton.Coordinator;
import io.baton.Hold;
import io.baton.fence.jdbc.FencedTable;
import io.baton.fence.jdbc.Fences;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.function.IntUnaryOperator;

/** Accounts in a database that refuses the writes of former holders. */
final class Bank {

    private Bank() {}

    // tag::column[]
    /** Changes a balance by a rule that takes long to compute; nothing is locked in the database meanwhile. */
    static void change(Coordinator baton, Connection connection, int id, IntUnaryOperator rule)
            throws SQLException, InterruptedException {
        FencedTable accounts = FencedTable.of("account", "id", "fence");
        try (Hold hold = baton.lock("account-" + id).acquire()) {
            if (!accounts.claim(connection, hold, id)) { // before it is read: keeps former holders out
                throw new IllegalArgumentException("there is no account " + id);
            }
            int balance = rule.applyAsInt(balance(connection, id));
            if (!accounts.update(connection, hold, id, "balance = ?", balance)) { // or StaleTokenException
                throw new IllegalStateException("account " + id + " was deleted");
            }
        }
    }
    // end::column[]

    // tag::fences[]
    /** Moves all of it in one transaction, in which the name is claimed first. */
    static void close(Coordinator baton, Fences fences, Connection connection, int id, int heir)
            throws SQLException, InterruptedException {
        try (Hold hold = baton.lock("accounts").acquire()) {
            SqlTransaction.run(connection, () -> {
                fences.claim(connection, "accounts", hold); // before anything is read; holds until the commit
                int balance = balance(connection, id);
                execute(connection, "update account set balance = balance + ? where id = ?", balance, heir);
                execute(connection, "delete from account where id = ?", id);
            });
        }
    }
    // end::fences[]

    private static int balance(Connection connection, int id) throws SQLException {
        try (PreparedStatement sql = connection.prepareStatement("select balance from account where id = ?")) {
            sql.setInt(1, id);
            try (ResultSet row = sql.executeQuery()) {
                row.next();
                return row.getInt(1);
            }
        }
    }

    private static void execute(Connection connection, String statement, int... values) throws SQLException {
        try (PreparedStatement sql = connection.prepareStatement(statement)) {
            for (int index = 0; index < values.length; index++) {
                sql.setInt(index + 1, values[index]);
            }
            sql.executeUpdate();
        }
    }
}
