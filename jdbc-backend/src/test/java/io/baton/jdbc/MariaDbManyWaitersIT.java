package io.baton.jdbc;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Hold;
import io.baton.HoldState;
import io.baton.SessionState;
import io.baton.testkit.database.MariaDbExtension;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Thousands of waiters of one client on a server that pushes nothing: a hold of that client does not notice. */
@Tag("mariadb")
@Tag("long")
@Timeout(900)
class MariaDbManyWaitersIT {

    private static final int WAITERS = 5_000;
    private static final Duration TTL = Duration.ofSeconds(6);

    @RegisterExtension
    static final MariaDbExtension mariadb = new MariaDbExtension();

    private final ConcurrentLinkedQueue<SessionState> states = new ConcurrentLinkedQueue<>();

    @Test
    void waiters_eachInALineOfItsOwn_areGrantedAndAHoldBesideThemLives() throws Exception {
        List<String> locks =
                IntStream.range(0, WAITERS).mapToObj(i -> "lock-" + i).toList();
        drain("lines", locks);
    }

    @Test
    void waiters_allInOneLine_areGrantedAndAHoldBesideThemLives() throws Exception {
        drain("line", IntStream.range(0, WAITERS).mapToObj(i -> "crowd").toList());
    }

    private void drain(String database, List<String> locks) throws Exception {
        String uri = mariadb.server().uri("/" + database);
        var options = CoordinatorOptions.builder()
                .ttl(TTL)
                .connectTimeout(Duration.ofMinutes(1))
                .build();
        try (Coordinator first = Coordinator.connect(uri, options);
                Coordinator second = Coordinator.connect(uri, options)) {
            var unused = second.onState(states::add);
            Hold quiet = second.lock("quiet").acquire();
            List<Hold> held = new ArrayList<>();
            for (String lock : locks.stream().distinct().toList()) {
                held.add(first.lock(lock).acquire());
            }
            List<CompletableFuture<Void>> all = new ArrayList<>();
            for (String lock : locks) {
                all.add(second.lock(lock).acquireAsync().thenAccept(hold -> {
                    var ignored = hold.releaseAsync();
                }));
            }
            await().atMost(120, SECONDS).until(() -> standing(uri) == locks.size() + held.size() + 1);
            states.clear(); // so many joins at once may take longer than their contact waits for one
            await().during(TTL).atMost(TTL.multipliedBy(2)).until(() -> quiet.state() == HoldState.HELD);

            held.forEach(Hold::releaseAsync);

            CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).get(400, SECONDS);
            assertThat(quiet.state()).isEqualTo(HoldState.HELD);
            assertThat(states).isEmpty();
        }
    }

    private static int standing(String uri) throws SQLException {
        try (Connection connection = DriverManager.getConnection(uri);
                Statement sql = connection.createStatement();
                ResultSet count = sql.executeQuery("select count(*) from baton_entry")) {
            assertThat(count.next()).isTrue();
            return count.getInt(1);
        }
    }
}
