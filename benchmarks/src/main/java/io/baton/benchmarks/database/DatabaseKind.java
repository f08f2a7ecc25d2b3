package io.baton.benchmarks.database;

import io.baton.testkit.database.LocalMariaDb;
import io.baton.testkit.database.LocalPostgres;
import io.baton.testkit.server.TestServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/** The databases on which locks are compared. No commit waits for a disk. */
enum DatabaseKind {
    POSTGRES(
            "PostgreSQL",
            "select pg_advisory_lock(1)",
            "select pg_advisory_unlock(1)",
            "select xact_commit from pg_stat_database where datname = current_database()") {
        @Override
        TestServer start() throws SQLException {
            LocalPostgres server =
                    LocalPostgres.builder().setting("fsync", "off").start();
            execute(
                    server.url(),
                    "alter system set max_connections = " + MOST_CONNECTIONS,
                    "alter system set synchronous_commit = off");
            server.restart();
            return server;
        }
    },
    MARIADB(
            "MariaDB",
            "select get_lock('contest', 3600)",
            "select release_lock('contest')",
            "select variable_value from information_schema.global_status where variable_name = 'HANDLER_COMMIT'") {
        @Override
        TestServer start() throws SQLException {
            LocalMariaDb server = LocalMariaDb.builder()
                    .setting("innodb-flush-log-at-trx-commit", "2")
                    .setting("loose-innodb-flush-method", "nosync")
                    .setting("innodb-doublewrite", "0")
                    .start();
            execute(server.url(), "set global max_connections = " + MOST_CONNECTIONS);
            return server;
        }
    };

    private static final int MOST_CONNECTIONS = 400;

    private final String product;
    private final String lock;
    private final String unlock;
    private final String commits;

    DatabaseKind(String product, String lock, String unlock, String commits) {
        this.product = product;
        this.lock = lock;
        this.unlock = unlock;
        this.commits = commits;
    }

    /** Starts a server with enough connections for all clients. */
    abstract TestServer start() throws SQLException;

    static void execute(String url, String... statements) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            for (String each : statements) {
                statement.execute(each);
            }
        }
    }

    String product() {
        return product;
    }

    /** Takes a lock of the server that no transaction has. */
    String lock() {
        return lock;
    }

    /** Gives it back. */
    String unlock() {
        return unlock;
    }

    /** How many transactions there have been. */
    String commits() {
        return commits;
    }
}
