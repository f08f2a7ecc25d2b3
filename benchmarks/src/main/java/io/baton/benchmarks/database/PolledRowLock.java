package io.baton.benchmarks.database;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** An own row that names who has the lock. Who waits tries again after a pause. */
final class PolledRowLock implements DatabaseLock {

    private final Connection connection;
    private final PreparedStatement take;
    private final PreparedStatement give;
    private final long pauseMillis;

    PolledRowLock(String url, long pauseMillis) throws SQLException {
        this.connection = DriverManager.getConnection(url);
        this.take = connection.prepareStatement("update contest set owner = 'me' where id = 1 and owner is null");
        this.give = connection.prepareStatement("update contest set owner = null where id = 1");
        this.pauseMillis = pauseMillis;
    }

    @Override
    public void take() throws SQLException, InterruptedException {
        while (take.executeUpdate() == 0) {
            Thread.sleep(pauseMillis);
        }
    }

    @Override
    public void give() throws SQLException {
        int ignored = give.executeUpdate();
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
