package io.baton.benchmarks.database;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Hold;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The locks that are compared. */
enum DatabaseSide {
    BATON("Baton", 0) {
        @Override
        DatabaseLock connect(String url) throws InterruptedException {
            Coordinator baton = Coordinator.connect(
                    url,
                    CoordinatorOptions.builder()
                            .ttl(Duration.ofSeconds(20))
                            .connectTimeout(Duration.ofSeconds(60))
                            .build());
            return new DatabaseLock() {
                private @Nullable Hold hold;

                @Override
                public void take() throws InterruptedException {
                    hold = baton.lock("contest").acquire();
                }

                @Override
                public void give() {
                    if (hold != null) {
                        hold.close();
                    }
                }

                @Override
                public void close() {
                    baton.close();
                }
            };
        }
    },
    FOR_UPDATE("`FOR UPDATE`", 0) {
        @Override
        DatabaseLock connect(String url) throws SQLException {
            return new StatementLock(url, false, "select 1 from contest where id = 1 for update", "");
        }
    },
    ADVISORY("advisory lock", 0) {
        @Override
        DatabaseLock connect(String url) throws SQLException {
            return new StatementLock(url, true, "select pg_advisory_lock(1)", "select pg_advisory_unlock(1)");
        }
    },
    ROW_10("row, every 10 ms", 10) {
        @Override
        DatabaseLock connect(String url) throws SQLException {
            return new PolledRowLock(url, pauseMillis());
        }
    },
    ROW_100("row, every 100 ms", 100) {
        @Override
        DatabaseLock connect(String url) throws SQLException {
            return new PolledRowLock(url, pauseMillis());
        }
    },
    SHEDLOCK_10("ShedLock, every 10 ms", 10) {
        @Override
        DatabaseLock connect(String url) throws SQLException {
            return new ShedLockLock(url, pauseMillis());
        }
    },
    SHEDLOCK_100("ShedLock, every 100 ms", 100) {
        @Override
        DatabaseLock connect(String url) throws SQLException {
            return new ShedLockLock(url, pauseMillis());
        }
    };

    /** The tables of those that need them. */
    private static final String TABLES = "create table contest (id int primary key, owner text);"
            + "insert into contest values (1, null);"
            + "create table shedlock (name varchar(64) primary key, lock_until timestamp not null,"
            + " locked_at timestamp not null, locked_by varchar(255) not null)";

    private final String word;
    private final int pauseMillis;

    DatabaseSide(String word, int pauseMillis) {
        this.word = word;
        this.pauseMillis = pauseMillis;
    }

    /** Connects one client. */
    abstract DatabaseLock connect(String url) throws InterruptedException, SQLException;

    /** What people call it. */
    String word() {
        return word;
    }

    /** How long a client that polls pauses. */
    int pauseMillis() {
        return pauseMillis;
    }

    static void createTables(String url) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(TABLES);
        }
    }
}
