package io.baton.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.CoordinationException;
import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Hold;
import io.baton.testkit.LongRun;
import io.baton.testkit.database.LocalPostgres;
import io.baton.testkit.server.Command;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** PostgreSQL crashes under load, and loses what was committed last without a sync. */
@Tag("postgres")
class PostgresCrashIT {

    private static final int CRASHES = LongRun.rounds(2, 10);
    private static final int CLIENTS = 4;
    private static final int PASSES = 15;

    private final ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();
    private final AtomicReference<Hold> valid = new AtomicReference<>();
    private final AtomicLong lastToken = new AtomicLong();
    private final AtomicInteger passes = new AtomicInteger();
    private final AtomicInteger losses = new AtomicInteger();
    private final AtomicBoolean stopped = new AtomicBoolean();

    @Test
    void crashes_underLoad_tokensRiseAndNoTwoHoldsAreValidAtOnce() throws Exception {
        try (LocalPostgres postgres = LocalPostgres.start()) {
            String uri = postgres.uri("/crash");
            CoordinatorOptions options =
                    CoordinatorOptions.builder().ttl(Duration.ofSeconds(4)).build();
            List<Thread> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                Coordinator baton = Coordinator.connect(uri, options);
                Thread client = new Thread(() -> contend(baton), "client-" + i);
                client.start();
                clients.add(client);
            }
            for (int crash = 1; crash <= CRASHES; crash++) {
                int before = passes.get();
                await(() -> passes.get() >= before + PASSES);
                // Every backend at once, as a crash of the machine would, but for what the kernel has not written.
                postgres.crash();
                postgres.restart();
            }
            int after = passes.get();
            await(() -> passes.get() >= after + PASSES);
            stopped.set(true);
            for (Thread client : clients) {
                client.join(TimeUnit.MINUTES.toMillis(2));
                assertThat(client.isAlive()).isFalse();
            }
        }
        assertThat(wrong).isEmpty();
    }

    /** Another server may have been the primary meanwhile. */
    @Test
    void restart_inGoodOrder_beginsAnotherHistory() throws Exception {
        try (LocalPostgres postgres = LocalPostgres.start()) {
            String uri = postgres.uri("/restarted");
            Coordinator.connect(uri).close();
            String before = history(uri);
            Coordinator.connect(uri).close();
            assertThat(history(uri)).isEqualTo(before);

            assertThat(Command.run(
                                    List.of("kill", "-INT", Long.toString(postgres.pid())),
                                    Map.of(),
                                    Duration.ofSeconds(30))
                            .ok())
                    .isTrue();
            await(() -> !postgres.isRunning());
            postgres.restart();

            Coordinator.connect(uri).close();
            assertThat(history(uri)).isNotEqualTo(before);
        }
    }

    private static String history(String uri) throws SQLException {
        try (Connection connection = DriverManager.getConnection(uri);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select history from baton_store")) {
            rows.next();
            return rows.getString(1);
        }
    }

    private void await(java.util.concurrent.Callable<Boolean> condition) {
        org.awaitility.Awaitility.await()
                .atMost(Duration.ofMinutes(3))
                .until(() -> condition.call() || !wrong.isEmpty());
    }

    private void contend(Coordinator baton) {
        try (baton) {
            while (!stopped.get()) {
                try (Hold hold = baton.lock("crash").acquire()) {
                    hold.onLost(losses::incrementAndGet);
                    check(hold);
                } catch (CoordinationException troubled) {
                    // The session may have ended, or the store may be out of reach: the next attempt waits for it.
                    Thread.yield();
                }
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    /** The former hold cannot be valid once this one has been: its proof was over, or its entry gone. */
    private void check(Hold hold) {
        Hold former = valid.get();
        if (former != null
                && former.remaining().compareTo(Duration.ZERO) > 0
                && hold.remaining().compareTo(Duration.ZERO) > 0) {
            wrong.add("two valid at once: " + former.token() + " and " + hold.token());
        }
        long token = hold.token();
        long last = lastToken.getAndUpdate(known -> Math.max(known, token));
        if (token <= last) {
            wrong.add("token " + token + " after " + last);
        }
        valid.set(hold);
        passes.incrementAndGet();
        java.util.concurrent.locks.LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20)); // work
        valid.compareAndSet(hold, null);
    }
}
