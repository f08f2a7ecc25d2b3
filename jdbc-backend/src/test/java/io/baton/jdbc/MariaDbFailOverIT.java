package io.baton.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Hold;
import io.baton.SessionState;
import io.baton.testkit.database.LocalMariaDb;
import io.baton.testkit.proxy.TcpProxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two servers of MariaDB that replicate asynchronously take turns as the primary. */
@Tag("mariadb")
@Timeout(180)
class MariaDbFailOverIT {

    private static final Duration TTL = Duration.ofSeconds(10);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final LocalMariaDb one = LocalMariaDb.builder()
            .withReplicas()
            .setting("gtid-strict-mode", "1")
            .start();
    private final LocalMariaDb two = LocalMariaDb.builder()
            .withReplicas()
            .setting("gtid-strict-mode", "1")
            .start();
    private TcpProxy front;
    private String database;

    @BeforeEach
    void start() {
        database = one.uri("/fail-over").replaceFirst(".*:" + one.port(), "");
        front = TcpProxy.to(one.address());
    }

    @AfterEach
    void stop() {
        front.close();
        one.close();
        two.close();
    }

    /** The first was never restarted, and has its own marker still. */
    @Test
    void failBack_nothingOfTheOtherHasArrived_grantsNothingBeforeLostHoldsAreOver() throws Exception {
        two.follow(one.address());
        try (Coordinator owner = connect(front);
                TcpProxy cutOff = TcpProxy.to(two.address());
                TcpProxy replication = TcpProxy.to(two.address())) {
            Hold former = owner.lock("x").acquire();
            front.refuse();
            front.cut();
            two.awaitAllOf(one);
            long generation = generation(one);
            replication.hold();
            two.promote();
            one.follow(replication.address());
            front.retarget(two.address());
            front.accept();
            soon().until(() -> owner.state() == SessionState.CONNECTED);
            former.close();
            try (Coordinator other = connect(cutOff)) {
                Hold lost = other.lock("x").acquire();
                cutOff.hold();
                two.kill();
                one.promote();
                front.retarget(one.address());

                try (Coordinator third = connect(front)) {
                    CompletableFuture<Hold> next = third.lock("x").acquireAsync();
                    CompletableFuture<Duration> left = next.thenApply(granted -> lost.remaining());

                    assertThat(left.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                            .as("what the lost hold had left when the next was granted")
                            .isZero();
                    assertThat(next.get().token()).isGreaterThan(lost.token());
                    assertThat(generation(one)).isEqualTo(generation + 1);
                }
            }
        }
    }

    /** Nothing ends the owner's connections, and its user may write on a replica: heartbeats would prove the hold there. */
    @Test
    void switchOver_connectionsStay_grantsNothingBeforeLostHoldsAreOver() throws Exception {
        two.follow(one.address());
        try (Coordinator owner = connect(front);
                TcpProxy another = TcpProxy.to(two.address())) {
            Hold lost = owner.lock("x").acquire();
            two.awaitAllOf(one);
            two.promote();
            one.follow(two.address());

            try (Coordinator other = connect(another)) {
                CompletableFuture<Duration> left =
                        other.lock("x").acquireAsync().thenApply(granted -> lost.remaining());

                assertThat(left.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                        .as("what the lost hold had left when the next was granted")
                        .isZero();
            }
        }
    }

    /** Reading a table in memory would make it write a transaction of its own, which no replica may have then. */
    @Test
    @Tag("long")
    void follow_restartedReplicaIsReadForABackup_goesOn() throws Exception {
        two.follow(one.address());
        try (Coordinator before = connect(front)) {
            before.lock("x").acquire().close();
            two.awaitAllOf(one);
            two.restart();
            for (String table : List.of("baton_store", "baton_incarnation", "baton_line")) {
                ask(two, "select count(*) from " + name() + "." + table);
            }
            before.lock("x").acquire().close();
        }

        two.awaitAllOf(one);
    }

    /** Whatever a restart does to tables, a replica must be able to repeat each change of a row. */
    @Test
    @Tag("long")
    void promote_formerPrimaryIsRestarted_followsTheNextOne() throws Exception {
        two.follow(one.address());
        try (Coordinator former = connect(front)) {
            former.lock("x").acquire().close();
        }
        two.awaitAllOf(one);
        two.promote();
        one.restart();
        one.follow(two.address());
        front.retarget(two.address());

        try (Coordinator next = connect(front)) {
            next.lock("x").acquire().close();
        }

        one.awaitAllOf(two);
        assertThat(generation(one)).isEqualTo(2);
    }

    @Test
    void connect_serverThatFollowsAnother_isRefusedUntilItIsPromoted() throws Exception {
        two.follow(one.address());
        two.awaitAllOf(one);
        two.execute("set global read_only = 0");
        front.retarget(two.address());
        assertThatThrownBy(() -> Coordinator.connect(
                        uri(front),
                        CoordinatorOptions.builder()
                                .connectTimeout(Duration.ofSeconds(5))
                                .build()))
                .hasMessageContaining("repeats what another one writes");

        two.promote();

        connect(front).close();
    }

    private long generation(LocalMariaDb server) throws SQLException {
        return Long.parseLong(ask(server, "select generation from " + name() + ".baton_store"));
    }

    private String name() {
        return database.replaceFirst("\\?.*", "").substring(1);
    }

    private String uri(TcpProxy way) {
        return "jdbc:mariadb://127.0.0.1:" + way.address().getPort() + database;
    }

    private Coordinator connect(TcpProxy way) throws InterruptedException {
        return Coordinator.connect(
                uri(way),
                CoordinatorOptions.builder()
                        .ttl(TTL)
                        .connectTimeout(PATIENCE)
                        .closeTimeout(Duration.ofSeconds(1))
                        .build());
    }

    private String ask(LocalMariaDb server, String query) throws SQLException {
        try (Connection connection = DriverManager.getConnection(server.url());
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            rows.next();
            return rows.getString(1);
        }
    }

    private static ConditionFactory soon() {
        return Awaitility.await().atMost(PATIENCE);
    }
}
