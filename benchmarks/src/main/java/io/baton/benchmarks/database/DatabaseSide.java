package io.baton.benchmarks.database;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/** The locks that are compared. */
enum DatabaseSide {
    BATON("Baton", 0, (url, pause) -> new BatonLock(url)),
    FOR_UPDATE(
            "`FOR UPDATE`",
            0,
            (url, pause) -> new StatementLock(url, false, "select 1 from contest where id = 1 for update", "")),
    ADVISORY(
            "advisory lock",
            0,
            (url, pause) -> new StatementLock(url, true, "select pg_advisory_lock(1)", "select pg_advisory_unlock(1)")),
    ROW_10("row, every 10 ms", 10, PolledRowLock::new),
    ROW_100("row, every 100 ms", 100, PolledRowLock::new),
    SHEDLOCK_10("ShedLock, every 10 ms", 10, ShedLockLock::new),
    SHEDLOCK_100("ShedLock, every 100 ms", 100, ShedLockLock::new);

    /** The tables of those that need them. */
    private static final String TABLES = "create table contest (id int primary key, owner text);"
            + "insert into contest values (1, null);"
            + "create table shedlock (name varchar(64) primary key, lock_until timestamp not null,"
            + " locked_at timestamp not null, locked_by varchar(255) not null)";

    private final String word;
    private final int pauseMillis;
    private final Way way;

    /** How one client connects. */
    private interface Way {
        DatabaseLock connect(String url, long pauseMillis) throws InterruptedException, SQLException;
    }

    DatabaseSide(String word, int pauseMillis, Way way) {
        this.word = word;
        this.pauseMillis = pauseMillis;
        this.way = way;
    }

    /** Connects one client. */
    DatabaseLock connect(String url) throws InterruptedException, SQLException {
        return way.connect(url, pauseMillis);
    }

    /** What people call it. */
    String word() {
        return word;
    }

    static void createTables(String url) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(TABLES);
        }
    }
}
