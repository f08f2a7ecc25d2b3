package io.baton.examples;

import io.baton.Coordinator;
import io.baton.Hold;
import io.baton.jdbc.JdbcStore;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** Locks in the database in which the data is. */
final class AccountBook {

    private AccountBook() {}

    // tag::connect[]
    static void connect() throws InterruptedException {
        try (Coordinator baton = Coordinator.connect("jdbc:postgresql://db1,db2/shop?currentSchema=baton");
                Hold hold = baton.lock("accounts").acquire()) {
            System.out.println(hold.token());
        }
    }
    // end::connect[]

    // tag::stands[]
    /** Withdraws an amount in a transaction during which nobody else is granted the lock. */
    static void withdraw(Connection connection, Hold hold, long account, long amount) throws SQLException {
        SqlTransaction.run(connection, () -> {
            JdbcStore.stands(connection, hold); // throws LockLostException if it has passed on
            try (PreparedStatement sql =
                    connection.prepareStatement("update account set balance = balance - ? where id = ?")) {
                sql.setLong(1, amount);
                sql.setLong(2, account);
                sql.executeUpdate();
            }
        });
    }
    // end::stands[]
}
