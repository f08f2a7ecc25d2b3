package io.baton.benchmarks.database;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** One statement takes the lock, and another one, or the end of the transaction, gives it back. */
final class StatementLock implements DatabaseLock {

    private final Connection connection;
    private final PreparedStatement take;
    private final String give;

    StatementLock(String url, boolean autoCommit, String take, String give) throws SQLException {
        this.connection = DriverManager.getConnection(url);
        connection.setAutoCommit(autoCommit);
        this.take = connection.prepareStatement(take);
        this.give = give;
    }

    @Override
    public void take() throws SQLException {
        boolean ignored = take.execute();
    }

    @Override
    public void give() throws SQLException {
        if (give.isEmpty()) {
            connection.commit();
            return;
        }
        try (PreparedStatement statement = connection.prepareStatement(give)) {
            boolean ignored = statement.execute();
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
