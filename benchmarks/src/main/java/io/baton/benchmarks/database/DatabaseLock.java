package io.baton.benchmarks.database;

import java.sql.SQLException;

/** A client's way to the lock. For one thread. */
interface DatabaseLock extends AutoCloseable {

    /** Waits for the lock. */
    void take() throws Exception;

    /** Gives it back. */
    void give() throws Exception;

    @Override
    void close() throws SQLException;
}
