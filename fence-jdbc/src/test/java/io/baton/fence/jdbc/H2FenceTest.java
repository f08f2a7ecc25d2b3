package io.baton.fence.jdbc;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;

class H2FenceTest extends FenceContract {

    private static final AtomicInteger tests = new AtomicInteger();

    private final String url = "jdbc:h2:mem:fence-" + tests.incrementAndGet() + ";LOCK_TIMEOUT=60000";

    H2FenceTest() {
        super(Database.H2, true);
    }

    @Override
    Connection open() throws SQLException {
        return DriverManager.getConnection(url);
    }
}
