package io.baton.benchmarks.database;

import java.sql.SQLException;

/** The locks that are compared. */
enum DatabaseSide {
    BATON("Baton", 0),
    FOR_UPDATE("`FOR UPDATE`", 0),
    ADVISORY("the server's own lock", 0),
    ROW_10("row, every 10 ms", 10),
    ROW_100("row, every 100 ms", 100),
    SHEDLOCK_10("ShedLock, every 10 ms", 10),
    SHEDLOCK_100("ShedLock, every 100 ms", 100);

    /** The tables of those that need them. */
    private static final String[] TABLES = {
        "create table contest (id int primary key, owner text)",
        "insert into contest values (1, null)",
        "create table shedlock (name varchar(64) primary key, lock_until timestamp(3) not null,"
                + " locked_at timestamp(3) not null, locked_by varchar(255) not null)"
    };

    private final String word;
    private final int pauseMillis;

    DatabaseSide(String word, int pauseMillis) {
        this.word = word;
        this.pauseMillis = pauseMillis;
    }

    /** Connects one client. */
    DatabaseLock connect(DatabaseKind kind, String url) throws InterruptedException, SQLException {
        return switch (this) {
            case BATON -> new BatonLock(url + "&baton.acknowledged=latest-may-be-lost");
            case FOR_UPDATE -> new StatementLock(url, false, "select 1 from contest where id = 1 for update", "");
            case ADVISORY -> new StatementLock(url, true, kind.lock(), kind.unlock());
            case ROW_10, ROW_100 -> new PolledRowLock(url, pauseMillis);
            case SHEDLOCK_10, SHEDLOCK_100 -> new ShedLockLock(url, pauseMillis);
        };
    }

    /** What people call it. */
    String word() {
        return word;
    }

    static void createTables(String url) throws SQLException {
        DatabaseKind.execute(url, TABLES);
    }
}
