package io.baton.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

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

    private LocalMariaDb one;
    private LocalMariaDb two;
    private TcpProxy front;
    private String database;

    @BeforeEach
    void start() {
        one = LocalMariaDb.builder().withReplicas().start();
        two = LocalMariaDb.builder().withReplicas().start();
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
            String written = ask(one, "select @@global.gtid_binlog_pos");
            assertThat(ask(two, "select master_gtid_wait('" + written + "', " + PATIENCE.toSeconds() + ")"))
                    .isEqualTo("0");
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
                }
            }
        }
    }

    private Coordinator connect(TcpProxy way) throws InterruptedException {
        return Coordinator.connect(
                "jdbc:mariadb://127.0.0.1:" + way.address().getPort() + database,
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
