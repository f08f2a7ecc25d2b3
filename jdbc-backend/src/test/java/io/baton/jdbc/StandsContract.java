package io.baton.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.DistributedLock;
import io.baton.Hold;
import io.baton.HoldState;
import io.baton.LockLostException;
import io.baton.LockOptions;
import io.baton.QueueEntry;
import io.baton.SessionState;
import io.baton.StoreUnavailableException;
import io.baton.WriteHold;
import io.baton.spi.EntryHold;
import io.baton.spi.Peer;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a program with a database of its own uses: its data source, and a hold's entry in its transactions. */
abstract class StandsContract {

    abstract JdbcUnderTest store() throws SQLException;

    private static Connection transaction(JdbcUnderTest store) throws SQLException {
        Connection connection = DriverManager.getConnection(store.steadyUri().orElseThrow());
        connection.setAutoCommit(false);
        return connection;
    }

    /** The driver's connections as they are, without what Baton's own addresses ask of it. */
    @Test
    void builder_dataSource_handsLocksOnAndTellsRecords() throws Exception {
        JdbcUnderTest store = store();
        DataSource source = (DataSource) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {DataSource.class},
                (proxy, method, arguments) ->
                        DriverManager.getConnection(store.steadyUri().orElseThrow()));
        try (Coordinator here = Coordinator.connect(JdbcStore.builder(source).build(), CoordinatorOptions.defaults());
                Coordinator there = Coordinator.connect(
                        JdbcStore.builder(source).verifyOnly().build(), CoordinatorOptions.defaults())) {
            for (int i = 0; i < 5; i++) {
                Hold hold = here.lock("account").acquire();
                CompletableFuture<Hold> next = there.lock("account").acquireAsync();
                await().atMost(Duration.ofSeconds(60))
                        .until(() -> there.lock("account").queue().size() == 2);
                hold.close();
                next.get(60, TimeUnit.SECONDS).close();
            }
            here.records("stock").put("tickets", "7".getBytes(StandardCharsets.UTF_8));
            assertThat(there.records("stock").get("tickets").orElseThrow().text())
                    .isEqualTo("7");
        } finally {
            store.close();
        }
    }

    @Test
    void stands_untilTheCommit_nobodyElseIsGranted_andOthersAreNotDelayed() throws Exception {
        delaysNobodyElse(CoordinatorOptions.defaults(), Duration.ZERO);
    }

    /** Longer than a lock is waited for, a statement may take, a step goes unanswered, and a session lives unheard. */
    @Test
    @Tag("long")
    void stands_forLongerThanAnyLimit_othersAreNotDelayed() throws Exception {
        delaysNobodyElse(
                CoordinatorOptions.builder().ttl(LiveJdbcStore.SHORTEST_TTL).build(), Duration.ofSeconds(5));
    }

    /** What others do has ended while the transaction is still open, so no clock is needed to see that. */
    private void delaysNobodyElse(CoordinatorOptions options, Duration open) throws Exception {
        JdbcUnderTest store = store();
        String uri = store.steadyUri().orElseThrow();
        List<SessionState> states = new CopyOnWriteArrayList<>();
        try (Coordinator here = Coordinator.connect(uri, options);
                Coordinator there = Coordinator.connect(uri, options)) {
            var unused = here.onState(states::add);
            var unusedToo = there.onState(states::add);
            Hold hold = here.lock("account").acquire();
            CompletableFuture<Hold> next;
            try (Connection mine = transaction(store)) {
                JdbcStore.stands(mine, hold);
                next = there.lock("account").acquireAsync();
                CompletableFuture<Void> released = hold.releaseAsync();

                // Other lines, and joins of this one, go on while the transaction lasts.
                long begun = System.nanoTime();
                for (int i = 0; i < 20 || System.nanoTime() - begun < open.toNanos(); i++) {
                    there.lock("other-" + i % 3).acquire().close();
                    here.lock("another-" + i % 3).acquire().close();
                }
                assertThat(there.lock("account").queue()).hasSize(2);
                assertThat(next).isNotDone();
                assertThat(released).isNotDone();
                assertThat(states).doesNotContain(SessionState.SUSPENDED, SessionState.LOST);
                mine.commit();
            }
            next.get(60, TimeUnit.SECONDS).close();
        } finally {
            store.close();
        }
    }

    /**
     * The entry of a waiter stands before it is granted, so no database refuses this. The documents ask for the call
     * before anything is read.
     */
    @Test
    void stands_afterAReadBeforeTheGrant_isFollowedByOldReads() throws Exception {
        JdbcUnderTest store = store();
        String uri = store.steadyUri().orElseThrow();
        try (Coordinator here = Coordinator.connect(uri);
                Coordinator there = Coordinator.connect(uri);
                Connection former = transaction(store);
                Connection latter = transaction(store)) {
            sql(former, "create table account (balance integer)", "insert into account values (100)");
            Hold hold = here.lock("account").acquire();
            CompletableFuture<Hold> next = there.lock("account").acquireAsync();
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> here.lock("account").queue().size() == 2);
            latter.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            assertThat(balance(latter)).isEqualTo(100);
            sql(former, "update account set balance = 90");
            hold.close();
            Hold granted = next.get(60, TimeUnit.SECONDS);

            JdbcStore.stands(latter, granted);
            assertThat(balance(latter)).isEqualTo(100);

            latter.rollback();
            JdbcStore.stands(latter, granted);
            assertThat(balance(latter)).isEqualTo(90);
            latter.commit();
            granted.close();
        } finally {
            store.close();
        }
    }

    private static int balance(Connection by) throws SQLException {
        try (Statement sql = by.createStatement();
                ResultSet row = sql.executeQuery("select balance from account")) {
            row.next();
            return row.getInt(1);
        }
    }

    /** The documented way to another value. */
    @Test
    void holdAtLeast_anotherOnceAnOperatorHasDeletedTheRecord_isTaken() throws Exception {
        JdbcUnderTest store = store();
        String uri = store.steadyUri().orElseThrow();
        try (Connection operator = transaction(store)) {
            try (Coordinator baton = Coordinator.connect(uri)) {
                baton.lock("hourly-report", atLeast(Duration.ofHours(1)))
                        .acquire()
                        .close();
            }
            sql(operator, "delete from baton_record where tree = 'baton.delays' and name = 'locks/hourly-report'");
            try (Coordinator baton = Coordinator.connect(uri)) {
                DistributedLock lock = baton.lock("hourly-report", atLeast(Duration.ofSeconds(2)));
                lock.tryAcquire(Duration.ofSeconds(60)).orElseThrow().close();
                assertThat(lock.delays().orElseThrow().holdAtLeast()).isEqualTo(Duration.ofSeconds(2));
            }
        } finally {
            store.close();
        }
    }

    private static LockOptions atLeast(Duration time) {
        return LockOptions.builder().holdAtLeast(time).build();
    }

    /** The downgrade is made once the transaction has ended. */
    @Test
    void stands_downgradedBeforeTheCommit_delaysNoOtherLock() throws Exception {
        JdbcUnderTest store = store();
        try (Coordinator here = Coordinator.connect(store.steadyUri().orElseThrow(), shortLived())) {
            List<SessionState> states = new CopyOnWriteArrayList<>();
            var unused = here.onState(states::add);
            WriteHold writer = here.readWriteLock("account").write().acquire();
            CompletableFuture<Hold> reader;
            try (Connection mine = transaction(store)) {
                JdbcStore.stands(mine, writer);
                reader = writer.downgradeAsync();
                for (int i = 0; i < 20; i++) {
                    here.lock("other-" + i % 3).acquire().close();
                }
                assertThat(reader).isNotDone();
                mine.commit();
            }
            reader.get(60, TimeUnit.SECONDS).close();
            assertThat(states).doesNotContain(SessionState.SUSPENDED, SessionState.LOST);
        } finally {
            store.close();
        }
    }

    @Test
    void stands_evictedBeforeTheCommit_isRefusedWithTheReason() throws Exception {
        JdbcUnderTest store = store();
        String uri = store.steadyUri().orElseThrow();
        try (Coordinator here = Coordinator.connect(uri);
                Coordinator operator = Coordinator.connect(uri);
                Connection mine = transaction(store)) {
            DistributedLock lock = operator.lock("account");
            Hold hold = here.lock("account").acquire();
            JdbcStore.stands(mine, hold);
            QueueEntry holder = lock.queue().get(0);

            assertThatThrownBy(() -> lock.evict(holder, "a test"))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("a transaction of a program keeps an entry, and nothing was changed");

            assertThat(lock.queue()).hasSize(1);
            operator.lock("other").acquire().close();
            mine.commit();
            assertThat(lock.evict(holder, "a test")).isTrue();
        } finally {
            store.close();
        }
    }

    private static CoordinatorOptions shortLived() {
        return CoordinatorOptions.builder().ttl(Duration.ofSeconds(4)).build();
    }

    /** A beat tries a few of the sessions that are overdue. */
    @Test
    void stands_moreSessionsThanABeatTries_theNextIsEndedAllTheSame() throws Exception {
        JdbcUnderTest store = store();
        CoordinatorOptions options = shortLived();
        Map<String, Hold> holds = new HashMap<>();
        Map<String, Connection> transactions = new HashMap<>();
        List<Coordinator> silent = new ArrayList<>();
        try (Connection operator = transaction(store);
                Coordinator there = Coordinator.connect(store.steadyUri().orElseThrow(), options)) {
            for (int i = 0; i < 9; i++) {
                Coordinator owner = Coordinator.connect(store.uri(), options);
                silent.add(owner);
                Hold hold = owner.lock("account-" + i).acquire();
                Connection mine = transaction(store);
                JdbcStore.stands(mine, hold);
                String session = session(hold);
                holds.put(session, hold);
                transactions.put(session, mine);
            }
            store.breakContact();
            List<String> sessions = overdue(operator, holds.keySet());
            assertThat(sessions).hasSize(9);

            transactions.get(sessions.get(8)).commit();

            String last = holds.get(sessions.get(8)).name();
            there.lock(last).tryAcquire(Duration.ofSeconds(30)).orElseThrow().close();
            for (String kept : sessions.subList(0, 8)) {
                assertThat(there.lock(holds.get(kept).name()).queue()).hasSize(1);
            }
        } finally {
            for (Connection each : transactions.values()) {
                each.close();
            }
            silent.forEach(Coordinator::close);
            store.close();
        }
    }

    /** Makes these sessions overdue. Returns them in the order in which the database lists them. */
    private static List<String> overdue(Connection connection, Set<String> sessions) throws SQLException {
        String in = " where sid in ('" + String.join("', '", sessions) + "')";
        List<String> listed = new ArrayList<>();
        try (Statement sql = connection.createStatement()) {
            sql.execute("update baton_session set epoch = epoch + 1000, beat_c = -1000000000" + in);
            connection.commit();
            try (ResultSet rows = sql.executeQuery("select sid from baton_session, (select 1) t where beat_c < 0")) {
                while (rows.next()) {
                    listed.add(rows.getString(1));
                }
            }
        }
        return listed;
    }

    @Test
    void stands_released_isRefusedAndRolledBack() throws Exception {
        JdbcUnderTest store = store();
        try (Coordinator here = Coordinator.connect(store.steadyUri().orElseThrow());
                Connection mine = transaction(store)) {
            Hold hold = here.lock("account").acquire();
            hold.close();
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> here.lock("account").queue().isEmpty());
            assertThatThrownBy(() -> JdbcStore.stands(mine, hold))
                    .isInstanceOf(LockLostException.class)
                    .hasMessageContaining("account");
        } finally {
            store.close();
        }
    }

    /** They have one entry, which would keep none of them out. */
    @Test
    void stands_lockSharedWithinTheProcess_isRefusedToTheFirstOwnerToo() throws Exception {
        JdbcUnderTest store = store();
        LockOptions cohort =
                LockOptions.builder().cohort(8, Duration.ofSeconds(60)).build();
        LockOptions linger =
                LockOptions.builder().linger(Duration.ofSeconds(60)).build();
        try (Coordinator here = Coordinator.connect(store.steadyUri().orElseThrow());
                Connection mine = transaction(store)) {
            for (LockOptions shared : List.of(cohort, linger)) {
                DistributedLock lock = here.lock("account-" + shared.cohort(), shared);
                Hold first = lock.acquire();
                CompletableFuture<Hold> next = lock.acquireAsync();
                refusedAsShared(mine, first);
                first.close();
                try (Hold second = next.get(60, TimeUnit.SECONDS)) {
                    assertThat(second.token()).isEqualTo(first.token());
                    refusedAsShared(mine, second);
                }
            }
        } finally {
            store.close();
        }
    }

    private static void refusedAsShared(Connection mine, Hold hold) {
        assertThatThrownBy(() -> JdbcStore.stands(mine, hold))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Fences");
    }

    @Test
    void stands_downgraded_isRefusedToTheWriterAndKeepsTheReader() throws Exception {
        JdbcUnderTest store = store();
        try (Coordinator here = Coordinator.connect(store.steadyUri().orElseThrow());
                Connection mine = transaction(store)) {
            WriteHold writer = here.readWriteLock("account").write().acquire();
            JdbcStore.stands(mine, writer);
            mine.commit();
            try (Hold reader = writer.downgrade()) {
                assertThatThrownBy(() -> JdbcStore.stands(mine, writer))
                        .isInstanceOf(LockLostException.class)
                        .hasMessageContaining("downgraded");
                JdbcStore.stands(mine, reader);
                mine.commit();
            }
        } finally {
            store.close();
        }
    }

    /** A fail-over that has lost the end of a session shows its entries once more, while another is granted already. */
    @Test
    void stands_lostAndItsEntryIsBack_isRefusedAndRolledBack() throws Exception {
        JdbcUnderTest store = store();
        CoordinatorOptions options =
                CoordinatorOptions.builder().ttl(Duration.ofSeconds(4)).build();
        try (Coordinator owner = Coordinator.connect(store.uri(), options);
                Coordinator there = Coordinator.connect(store.steadyUri().orElseThrow(), options);
                Connection operator = transaction(store);
                Connection mine = transaction(store);
                Statement sql = mine.createStatement()) {
            Hold hold = owner.lock("account").acquire();
            String session = session(hold);
            sql(
                    operator,
                    "create table kept_session as select * from baton_session where sid = '" + session + "'",
                    "create table kept_entry as select * from baton_entry where sid = '" + session + "'",
                    "update kept_session set beat_c = beat_c + 1000000000",
                    "create table written (id integer)");
            store.breakContact();
            Hold next = there.lock("account").tryAcquire(Duration.ofSeconds(60)).orElseThrow();
            await().atMost(Duration.ofSeconds(60)).until(() -> hold.state() == HoldState.LOST);
            sql(
                    operator,
                    "insert into baton_session select * from kept_session",
                    "insert into baton_entry select * from kept_entry");

            sql.execute("insert into written values (1)");
            assertThatThrownBy(() -> JdbcStore.stands(mine, hold))
                    .isInstanceOf(LockLostException.class)
                    .hasMessageContaining("was lost");
            mine.commit();

            try (ResultSet rows = sql.executeQuery("select * from written")) {
                assertThat(rows.next()).isFalse();
            }
            JdbcStore.stands(mine, next);
            mine.commit();
            next.close();
        } finally {
            store.close();
        }
    }

    private static void sql(Connection operator, String... statements) throws SQLException {
        try (Statement sql = operator.createStatement()) {
            for (String each : statements) {
                sql.execute(each);
            }
        }
        operator.commit();
    }

    private static String session(Hold hold) {
        return ((EntryHold) hold).peer().name().replaceFirst("-.*", "");
    }

    @Test
    void stands_removedAndGrantedToAnother_isRefused() throws Exception {
        JdbcUnderTest store = store();
        String uri = store.steadyUri().orElseThrow();
        try (Coordinator here = Coordinator.connect(uri);
                Coordinator there = Coordinator.connect(uri);
                Connection mine = transaction(store)) {
            Hold hold = here.lock("account").acquire();
            Peer peer = ((io.baton.spi.EntryHold) hold).peer();
            store.removeEntry(peer);
            Hold next = there.lock("account").tryAcquire(Duration.ofSeconds(60)).orElseThrow();
            assertThatThrownBy(() -> JdbcStore.stands(mine, hold)).isInstanceOf(LockLostException.class);
            JdbcStore.stands(mine, next);
            mine.commit();
            next.close();
        } finally {
            store.close();
        }
    }

    @Test
    void stands_connectionThatCommitsEachStatement_isRefused() throws Exception {
        JdbcUnderTest store = store();
        try (Coordinator here = Coordinator.connect(store.steadyUri().orElseThrow());
                Hold hold = here.lock("account").acquire();
                Connection mine = transaction(store)) {
            mine.setAutoCommit(true);
            assertThatThrownBy(() -> JdbcStore.stands(mine, hold))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("setAutoCommit");
        } finally {
            store.close();
        }
    }
}
