package io.baton.jdbc;

import io.baton.spi.Peer;
import io.baton.tck.Cuts;
import io.baton.tck.FailOver;
import io.baton.tck.StoreUnderTest;
import io.baton.testkit.database.LocalDatabase;
import io.baton.testkit.database.LocalMariaDb;
import io.baton.testkit.database.LocalPostgres;
import io.baton.testkit.database.MariaDbFraming;
import io.baton.testkit.database.PostgresFraming;
import io.baton.testkit.proxy.Framing;
import io.baton.testkit.proxy.Loopback;
import io.baton.testkit.proxy.TcpProxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A real database behind a proxy, with tables of the test's own. */
final class JdbcUnderTest implements StoreUnderTest {

    private static final AtomicInteger tests = new AtomicInteger();

    /**
     * How many stages of chapters of cuts are open at a time. Each has four connections, and two more while a client comes
     * back; servers take a hundred. Six are those of the tests themselves, which have none.
     */
    private static final Semaphore stages = new Semaphore(18, true);

    private final String url;
    private final TcpProxy proxy;
    private final boolean pushes;
    private final int port;
    private final Optional<JdbcFailOver> failOver;
    private boolean isStage;

    private JdbcUnderTest(String url, int port, Framing framing, Optional<JdbcFailOver> failOver) {
        this.url = url;
        this.port = port;
        this.failOver = failOver;
        this.pushes = framing instanceof PostgresFraming;
        this.proxy = TcpProxy.to(Loopback.at(port), framing);
    }

    /** A schema in a database of PostgreSQL. */
    static JdbcUnderTest on(LocalPostgres server) throws SQLException {
        return new JdbcUnderTest(schema(server), server.port(), new PostgresFraming(), Optional.empty());
    }

    /** A database of MariaDB. */
    static JdbcUnderTest on(LocalMariaDb server) {
        return new JdbcUnderTest(database(server), server.port(), new MariaDbFraming(), Optional.empty());
    }

    /**
     * The database of PostgreSQL in which all stages of a chapter of cuts are: making tables for each would take longer than
     * what is tried.
     */
    static JdbcUnderTest ofAllStages(LocalPostgres server) throws InterruptedException {
        return new JdbcUnderTest(place(server), server.port(), new PostgresFraming(), Optional.empty()).asStage();
    }

    /** The same of MariaDB. */
    static JdbcUnderTest ofAllStages(LocalMariaDb server) throws InterruptedException {
        return new JdbcUnderTest(place(server), server.port(), new MariaDbFraming(), Optional.empty()).asStage();
    }

    /** Waits until few other stages are open. */
    JdbcUnderTest asStage() throws InterruptedException {
        if (!stages.tryAcquire(2, TimeUnit.MINUTES)) {
            close();
            throw new IllegalStateException("no other stage was closed within two minutes");
        }
        isStage = true;
        return this;
    }

    private static synchronized String place(LocalDatabase server) {
        return server.uri("/stages");
    }

    /** A schema in a database of PostgreSQL that fails over. */
    static JdbcUnderTest on(LocalPostgres server, JdbcFailOver failOver) throws SQLException {
        return failing(schema(server), server, new PostgresFraming(), failOver);
    }

    /** A database of MariaDB that fails over. */
    static JdbcUnderTest on(LocalMariaDb server, JdbcFailOver failOver) {
        return failing(database(server), server, new MariaDbFraming(), failOver);
    }

    private static JdbcUnderTest failing(String url, LocalDatabase server, Framing framing, JdbcFailOver failOver) {
        int port = failOver.port();
        return new JdbcUnderTest(
                url.replace(":" + server.port() + "/", ":" + port + "/"), port, framing, Optional.of(failOver));
    }

    private static synchronized String schema(LocalPostgres server) throws SQLException {
        String database = server.uri("/tck");
        String schema = "tck_" + tests.incrementAndGet();
        try (Connection connection = DriverManager.getConnection(database);
                Statement statement = connection.createStatement()) {
            statement.execute("create schema " + schema);
        }
        return database + "&currentSchema=" + schema;
    }

    private static String database(LocalMariaDb server) {
        return server.uri("/tck-" + tests.incrementAndGet());
    }

    @Override
    public String uri() {
        return url.replace(":" + port + "/", ":" + proxy.port() + "/");
    }

    @Override
    public Optional<String> steadyUri() {
        return Optional.of(url);
    }

    @Override
    public Duration ttl() {
        return Duration.ofSeconds(5);
    }

    @Override
    public void expire(String sessionId) throws Exception {
        StoreDatabase.Opened opened =
                JdbcAddress.parse(url, Map.of()).database().open("operator", ttl());
        try (Connection connection = opened.connection();
                PreparedStatement silent =
                        connection.prepareStatement("update baton_session set beat_c = -1000000000 where sid = ?")) {
            StoreSteps steps = new StoreSteps(opened.dialect(), "operator", ttl(), "operator");
            silent.setString(1, sessionId);
            int ignored = silent.executeUpdate();
            boolean ended = false;
            while (!ended) {
                ended = steps.session.expire(connection, sessionId);
            }
        }
    }

    @Override
    public void breakContact() {
        proxy.refuse();
        proxy.cut();
    }

    @Override
    public void restoreContact() {
        proxy.accept();
    }

    @Override
    public Optional<Cuts> cuts() {
        return Optional.of(new JdbcCuts(proxy, pushes));
    }

    @Override
    public Optional<FailOver> failOver() {
        return failOver.map(ways -> ways);
    }

    @Override
    public void removeEntry(Peer peer) throws Exception {
        try (Connection connection = DriverManager.getConnection(url);
                PreparedStatement delete = connection.prepareStatement("delete from baton_entry where name = ?")) {
            delete.setString(1, peer.name());
            int ignored = delete.executeUpdate();
        }
    }

    @Override
    public void close() {
        proxy.close();
        failOver.ifPresent(JdbcFailOver::close);
        if (isStage) {
            stages.release();
        }
    }
}
