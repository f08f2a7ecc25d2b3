package io.baton.examples;

import java.sql.Connection;
import java.sql.SQLException;

/** A transaction that ends on every path. */
final class SqlTransaction {

    /** What is done in a transaction. */
    interface Work {
        void run() throws SQLException;
    }

    private SqlTransaction() {}

    // tag::run[]
    /** Commits what the work does, or rolls it back if it throws. */
    static void run(Connection connection, Work work) throws SQLException {
        boolean autoCommit = connection.getAutoCommit();
        connection.setAutoCommit(false);
        try {
            work.run();
            connection.commit();
        } catch (Throwable failed) {
            try {
                connection.rollback();
                connection.setAutoCommit(autoCommit);
            } catch (SQLException broken) { // the database rolls back when it notices that the connection is gone
                failed.addSuppressed(broken);
            }
            throw failed;
        }
        connection.setAutoCommit(autoCommit);
    }
    // end::run[]
}
