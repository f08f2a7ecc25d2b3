package io.baton.jdbc;

import static org.awaitility.Awaitility.await;

import io.baton.tck.FailOver;
import io.baton.testkit.database.LocalDatabase;
import io.baton.testkit.database.LocalMariaDb;
import io.baton.testkit.database.LocalPostgres;
import io.baton.testkit.proxy.TcpProxy;
import io.baton.testkit.server.Freezer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;

/** Ways in which a database fails over. */
interface JdbcFailOver extends FailOver {

    /** Where clients find the server that serves. */
    int port();

    /** Ends what it has started. */
    void close();

    /** PostgreSQL crashes, and loses what it has committed without a sync. */
    static JdbcFailOver crash(LocalPostgres server) {
        return new Crash(server, () -> {
            query(server, "select pg_switch_wal()"); // writes all that there is so far
            return Optional.of(Freezer.freeze(query(
                            server,
                            "select pid from pg_stat_activity"
                                    + " where backend_type in ('walwriter', 'background writer', 'checkpointer')")
                    .stream()
                    .map(Long::valueOf)
                    .toList()));
        });
    }

    /** MariaDB crashes. It writes each commit to its files, so it loses nothing. */
    static JdbcFailOver crash(LocalMariaDb server) {
        return new Crash(server, Optional::empty);
    }

    /** A server crashes, and its asynchronous standby is promoted. Closes both. */
    static JdbcFailOver promotion(LocalPostgres primary) {
        TcpProxy replication = TcpProxy.to(primary.address());
        LocalPostgres standby = LocalPostgres.builder().startStandby(replication.address());
        return new Promotion(primary, standby, replication, () -> {
            String written =
                    query(primary, "select pg_current_wal_insert_lsn()").get(0);
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> query(standby, "select pg_last_wal_replay_lsn() >= '" + written + "'::pg_lsn")
                            .equals(List.of("t")));
            return true;
        });
    }

    /** A server crashes, and its asynchronous replica is promoted. Closes both. */
    static JdbcFailOver promotion(LocalMariaDb primary, LocalMariaDb replica) {
        TcpProxy replication = TcpProxy.to(primary.address());
        replica.follow(replication.address());
        return new Promotion(primary, replica, replication, () -> {
            replica.awaitAllOf(primary);
            return true;
        });
    }

    private static List<String> query(LocalDatabase server, String query) throws SQLException {
        List<String> found = new ArrayList<>();
        try (Connection connection = DriverManager.getConnection(server.url());
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            while (rows.next()) {
                found.add(rows.getString(1));
            }
        }
        return found;
    }

    /** The same server again. */
    final class Crash implements JdbcFailOver {

        private final LocalDatabase server;
        private final Callable<Optional<Freezer>> keepInMemory;
        private Optional<Freezer> frozen = Optional.empty();

        private Crash(LocalDatabase server, Callable<Optional<Freezer>> keepInMemory) {
            this.server = server;
            this.keepInMemory = keepInMemory;
        }

        @Override
        public int port() {
            return server.port();
        }

        @Override
        public void fallBehind() throws Exception {
            frozen = keepInMemory.call();
        }

        @Override
        public void takeOver() {
            server.crash();
            server.restart();
        }

        @Override
        public boolean keepsDisk() {
            return true;
        }

        @Override
        public void close() {
            frozen.ifPresent(Freezer::end);
        }
    }

    /** Another server, which the clients find where they found the former one. */
    final class Promotion implements JdbcFailOver {

        private final LocalDatabase primary;
        private final LocalDatabase next;
        private final TcpProxy replication;
        private final TcpProxy front;
        private final Callable<Boolean> catchUp;

        private Promotion(LocalDatabase primary, LocalDatabase next, TcpProxy replication, Callable<Boolean> catchUp) {
            this.primary = primary;
            this.next = next;
            this.replication = replication;
            this.catchUp = catchUp;
            this.front = TcpProxy.to(primary.address());
        }

        @Override
        public int port() {
            return front.port();
        }

        @Override
        public void fallBehind() throws Exception {
            catchUp.call();
            replication.hold();
        }

        @Override
        public void takeOver() {
            primary.crash();
            next.promote();
            front.retarget(next.address());
        }

        @Override
        public boolean keepsDisk() {
            return false;
        }

        @Override
        public void close() {
            front.close();
            replication.close();
            next.close();
            primary.close();
        }
    }
}
