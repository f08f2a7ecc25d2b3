package io.baton.fence.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.baton.Coordinator;
import io.baton.Hold;
import io.baton.LockLostException;
import io.baton.LockOptions;
import io.baton.StaleTokenException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** What fences promise on each database. */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class FenceContract {

    private static final int PATIENCE_SECONDS = 60;
    private static final SQLException NO_ROLLBACK = new SQLException("rollback is not allowed here");

    private final Database database;
    private final boolean refusesOldSnapshots;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Connection> opened = new ArrayList<>();
    private final FencedTable accounts = FencedTable.of("account", "id", "fence");
    private Fences fences;
    private Connection connection;
    private String url;

    /**
     * @param refusesOldSnapshots whether a transaction with REPEATABLE READ may not write what was written since it
     *     began
     */
    FenceContract(Database database, boolean refusesOldSnapshots) {
        this.database = database;
        this.refusesOldSnapshots = refusesOldSnapshots;
    }

    /** The URL of a database for this class alone. */
    abstract String url();

    @BeforeAll
    void makeTables() throws SQLException {
        url = url();
        connection = opened();
        fences = Fences.in("baton_fence", Database.of(connection));
        fences.createTable(connection);
        fences.createTable(connection);
        execute(connection, "create table account (id integer not null primary key, balance integer not null)");
        execute(connection, "create table loose (id integer not null primary key, balance integer, fence bigint)");
        execute(connection, "create table written (no " + serial() + ", token bigint not null)");
        execute(connection, accounts.ddl());
    }

    @BeforeEach
    void clear() throws SQLException {
        connection = opened();
        for (String table : List.of("baton_fence", "account", "loose", "written")) {
            execute(connection, "delete from " + table);
        }
        execute(connection, "insert into account (id, balance) values (7, 100)");
    }

    @AfterEach
    void close() throws SQLException {
        for (Connection each : opened) {
            each.close();
        }
        opened.clear();
    }

    @AfterAll
    void end() {
        threads.shutdownNow();
    }

    @Test
    void of_aConnection_isItsDatabase() throws SQLException {
        assertThat(Database.of(connection)).isEqualTo(database);
    }

    @Test
    void update_ofAnOlderToken_isRefusedAndRollsTheTransactionBack() throws SQLException {
        assertThat(accounts.update(connection, 5, 7, "balance = balance - ?", 10))
                .isTrue();
        Connection former = transaction();
        note(former, 4);

        assertThatThrownBy(() -> accounts.update(former, 4, 7, "balance = balance - ?", 20))
                .isInstanceOfSatisfying(StaleTokenException.class, stale -> {
                    assertThat(stale.token()).isEqualTo(4);
                    assertThat(stale.latestToken()).isEqualTo(5);
                })
                .hasMessageContaining("token 4")
                .hasMessageContaining("token 5")
                .hasMessageContaining("account 7");
        former.commit();

        assertThat(balance()).isEqualTo(90);
        assertThat(written()).isEmpty();
    }

    @Test
    void update_eachStatementCommitted_isCheckedAsWell() throws SQLException {
        assertThat(accounts.update(connection, 5, 7, "balance = ?", 90)).isTrue();

        assertThatThrownBy(() -> accounts.update(connection, 4, 7, "balance = ?", 80))
                .isInstanceOf(LockLostException.class);

        assertThat(connection.getAutoCommit()).isTrue();
        assertThat(balance()).isEqualTo(90);
    }

    @Test
    void update_noSuchRow_isFalse() throws SQLException {
        Connection holder = transaction();
        note(holder, 5);

        assertThat(accounts.update(holder, 5, 8, "balance = ?", 1)).isFalse();
        holder.commit();

        assertThat(written()).containsExactly(5L);
        assertThat(accounts.update(connection, 5, 8, "balance = ?", 1)).isFalse();
    }

    /** MariaDB and MySQL count 0 rows then, if the driver is told to count changed ones. */
    @Test
    void update_withTheValuesThatAreThere_isApplied() throws SQLException {
        Connection holder = transaction();

        assertThat(accounts.update(holder, 5, 7, "balance = ?", 90)).isTrue();
        assertThat(accounts.update(holder, 5, 7, "balance = ?", 90)).isTrue();
        holder.commit();
        assertThat(accounts.update(connection, 5, 7, "balance = ?", 90)).isTrue();

        assertThat(balance()).isEqualTo(90);
    }

    @Test
    void update_fenceIsNull_isApplied() throws SQLException {
        execute(connection, "insert into loose (id, balance) values (7, 100)");
        FencedTable loose = FencedTable.of("loose", "id", "fence");

        assertThat(loose.update(connection, 5, 7, "balance = ?", 90)).isTrue();
        assertThatThrownBy(() -> loose.update(connection, 4, 7, "balance = ?", 80))
                .isInstanceOf(LockLostException.class);
    }

    @Test
    void update_whileALaterHolderWrites_waitsAndIsRefused() throws Exception {
        Connection later = transaction();
        assertThat(accounts.update(later, 6, 7, "balance = balance - ?", 10)).isTrue();
        Connection former = transaction();
        Future<?> late = threads.submit(() -> accounts.update(former, 5, 7, "balance = balance - ?", 20));

        Awaitility.await().during(Duration.ofMillis(100)).until(() -> !late.isDone());
        later.commit();

        assertThat(catchThrowable(() -> late.get(PATIENCE_SECONDS, TimeUnit.SECONDS)))
                .hasRootCauseInstanceOf(LockLostException.class);
        assertThat(balance()).isEqualTo(90);
    }

    @Test
    void update_byHolds_followsTheirOrder() throws Exception {
        try (Coordinator baton = Coordinator.connect("mem:fence-" + getClass().getName())) {
            Hold former = baton.lock("account-7").acquire();
            former.close();
            try (Hold latter = baton.lock("account-7").acquire()) {
                assertThat(accounts.update(connection, latter, 7, "balance = ?", 90))
                        .isTrue();
            }

            assertThatThrownBy(() -> accounts.update(connection, former, 7, "balance = ?", 80))
                    .isInstanceOf(LockLostException.class);
        }
    }

    @Test
    void update_byAnOwnerThatSharesItsToken_isRefused_andItsClaimsAreOrderedByTurns() throws Exception {
        LockOptions shared =
                LockOptions.builder().cohort(8, Duration.ofSeconds(60)).build();
        try (Coordinator baton = Coordinator.connect("mem:turn-" + getClass().getName())) {
            Hold former = baton.lock("account-7", shared).acquire();
            CompletableFuture<Hold> waits = baton.lock("account-7", shared).acquireAsync();
            former.close();
            try (Hold latter = waits.get(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                assertThat(latter.token()).isEqualTo(former.token());
                assertThatThrownBy(() -> accounts.update(connection, latter, 7, "balance = ?", 90))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("Fences");
                connection.setAutoCommit(false);
                fences.claim(connection, "account-7", latter);
                connection.commit();
            }

            assertThatThrownBy(() -> fences.claim(connection, "account-7", former))
                    .isInstanceOf(LockLostException.class);
        }
    }

    /** The program runs the transaction again; no exception of ours hides that it has to. */
    @Test
    void update_byAnOldSnapshot_isTheDatabasesOwnError() throws SQLException {
        Connection former = transaction();
        former.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        assertThat(balance(former)).isEqualTo(100);
        assertThat(accounts.update(connection, 5, 7, "balance = ?", 90)).isTrue();

        Throwable refused = catchThrowable(() -> accounts.update(former, 4, 7, "balance = ?", 80));

        if (refusesOldSnapshots) {
            assertThat(refused).isInstanceOf(SQLException.class);
            assertThat(((SQLException) refused).getSQLState()).isEqualTo("40001");
        } else {
            assertThat(refused).isInstanceOf(LockLostException.class);
        }
        former.rollback();
        assertThat(balance()).isEqualTo(90);
    }

    /** A later holder reads first. What it has read must not change behind its back. */
    @Test
    void claim_ofARow_keepsOutFormerHoldersBeforeItIsWritten() throws SQLException {
        assertThat(accounts.claim(connection, 5, 7)).isTrue();
        assertThat(accounts.claim(connection, 5, 7)).isTrue();
        assertThat(accounts.claim(connection, 5, 8)).isFalse();

        assertThatThrownBy(() -> accounts.update(connection, 4, 7, "balance = ?", 80))
                .isInstanceOf(LockLostException.class);
        assertThatThrownBy(() -> accounts.claim(connection, 4, 7)).isInstanceOf(LockLostException.class);

        assertThat(balance()).isEqualTo(100);
        assertThat(accounts.update(connection, 5, 7, "balance = ?", 90)).isTrue();
    }

    @Test
    void claim_ofAnOlderToken_isRefusedAndRollsTheTransactionBack() throws SQLException {
        Connection later = transaction();
        fences.claim(later, "account-7", 5, 0);
        later.commit();
        Connection former = transaction();
        note(former, 4);

        assertThatThrownBy(() -> fences.claim(former, "account-7", 4, 9))
                .isInstanceOf(LockLostException.class)
                .hasMessageContaining("token 4, turn 9")
                .hasMessageContaining("token 5;")
                .hasMessageContaining("'account-7'");
        former.commit();

        assertThat(written()).isEmpty();
        fences.claim(former, "account-7", 5, 0);
        fences.claim(former, "account-7", 5, 0);
        former.commit();
    }

    @Test
    void claim_refusedAndRollbackFails_saysThatItCouldNotBeRolledBack() throws SQLException {
        Connection later = transaction();
        fences.claim(later, "account-7", 5, 0);
        later.commit();
        Connection former = transaction();

        assertThatThrownBy(() -> fences.claim(withoutRollback(former), "account-7", 4, 0))
                .isInstanceOf(StaleTokenException.class)
                .hasMessageContaining("could not be rolled back")
                .hasSuppressedException(NO_ROLLBACK);

        former.rollback();
    }

    @Test
    void update_refusedAndRollbackFails_isTheRefusal() throws SQLException {
        assertThat(accounts.update(connection, 5, 7, "balance = ?", 90)).isTrue();

        assertThatThrownBy(() -> accounts.update(withoutRollback(connection), 4, 7, "balance = ?", 80))
                .isInstanceOf(StaleTokenException.class)
                .hasMessageContaining("could not be rolled back")
                .hasSuppressedException(NO_ROLLBACK);

        connection.rollback();
    }

    /** As in a transaction that a framework owns, or over a connection that breaks. */
    private static Connection withoutRollback(Connection to) {
        return (Connection) Proxy.newProxyInstance(
                FenceContract.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("rollback")) {
                        throw NO_ROLLBACK;
                    }
                    return method.invoke(to, arguments);
                });
    }

    @Test
    void claim_ofAnEarlierTurn_isRefused() throws SQLException {
        Connection holder = transaction();
        fences.claim(holder, "account-7", 5, 1);
        fences.claim(holder, "account-7", 5, 2);
        holder.commit();

        assertThatThrownBy(() -> fences.claim(holder, "account-7", 5, 1))
                .isInstanceOfSatisfying(StaleTokenException.class, stale -> {
                    assertThat(stale.token()).isEqualTo(5);
                    assertThat(stale.latestToken()).isEqualTo(5);
                });
        fences.claim(holder, "account-7", 6, 0);
        holder.commit();
        assertThatThrownBy(() -> fences.claim(holder, "account-7", 5, 3)).isInstanceOf(LockLostException.class);
    }

    @Test
    void claim_eachStatementCommitted_isRefused() {
        assertThatThrownBy(() -> fences.claim(connection, "account-7", 5, 0))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("setAutoCommit(false)");
    }

    @Test
    void claim_rolledBack_isForgotten() throws SQLException {
        Connection later = transaction();
        fences.claim(later, "account-7", 5, 0);
        later.rollback();

        fences.claim(later, "account-7", 4, 0);
        later.commit();
    }

    @Test
    void claim_ofAnotherName_isApart() throws SQLException {
        Connection one = transaction();
        Connection other = transaction();
        fences.claim(one, "account-a", 5, 0);
        fences.claim(other, "account-A", 4, 0);
        one.commit();
        other.commit();

        assertThatThrownBy(() -> fences.claim(one, "x".repeat(256), 5, 0)).isInstanceOf(IllegalArgumentException.class);
        fences.claim(one, "\u00e4".repeat(255), 5, 0);
        one.commit();
    }

    /** A name of its own, or none: two locks never share a fence. */
    @Test
    void claim_ofANameThatDiffersInASpaceAtItsEnd_isApartOrRefused() throws SQLException {
        Connection holder = transaction();
        fences.claim(holder, "account-7", 5, 0);
        holder.commit();

        Throwable refused = catchThrowable(() -> fences.claim(holder, "account-7 ", 4, 0));

        if (database == Database.MARIADB) {
            assertThat(refused).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("'account-7 '");
        } else {
            assertThat(refused).isNull();
        }
        holder.rollback();
    }

    @Test
    void claim_whileAFormerHolderIsAtWork_returnsAfterItsCommit() throws Exception {
        Connection former = transaction();
        fences.claim(former, "account-7", 5, 0);
        execute(former, "update account set balance = 90 where id = 7");
        Future<Integer> seen = threads.submit(() -> {
            Connection later = transaction();
            fences.claim(later, "account-7", 6, 0);
            int balance = balance(later);
            later.commit();
            return balance;
        });

        Awaitility.await().during(Duration.ofMillis(100)).until(() -> !seen.isDone());
        former.commit();

        assertThat(seen.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo(90);
    }

    /** Its second claim raises nothing. A transaction that waits for it may have its snapshot from before the commit. */
    @Test
    void claim_whileAFormerHolderIsAtWorkOnceMore_neverLeadsToWhatWasThereBefore() throws Exception {
        Connection former = transaction();
        fences.claim(former, "account-7", 5, 0);
        former.commit();
        fences.claim(former, "account-7", 5, 0);
        execute(former, "update account set balance = 90 where id = 7");
        Future<Integer> seen = threads.submit(() -> {
            Connection later = transaction();
            later.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            try {
                fences.claim(later, "account-7", 6, 0);
            } catch (SQLException refused) {
                assertThat(refused.getSQLState()).isEqualTo("40001");
                later.rollback();
                fences.claim(later, "account-7", 6, 0);
            }
            int balance = balance(later);
            later.commit();
            return balance;
        });

        Awaitility.await().during(Duration.ofMillis(100)).until(() -> !seen.isDone());
        former.commit();

        assertThat(seen.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo(90);
    }

    @Test
    void claim_ofANewNameByTwoAtOnce_letsThemInInTheOrderOfTheirTokens() throws Exception {
        var both = new CyclicBarrier(2);
        for (int round = 0; round < 25; round++) {
            String name = "new-" + round;
            Future<Boolean> first = threads.submit(() -> claims(both, name, 1));
            Future<Boolean> second = threads.submit(() -> claims(both, name, 2));

            assertThat(second.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
            List<Long> order = first.get(PATIENCE_SECONDS, TimeUnit.SECONDS) ? List.of(1L, 2L) : List.of(2L);
            assertThat(written()).isEqualTo(order);
            execute(connection, "delete from written");
        }
    }

    private boolean claims(CyclicBarrier both, String name, long token) throws Exception {
        try (Connection holder = DriverManager.getConnection(url)) {
            holder.setAutoCommit(false);
            both.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
            fences.claim(holder, name, token, 0);
            note(holder, token);
            holder.commit();
            return true;
        } catch (LockLostException stale) {
            return false;
        }
    }

    @Test
    void claim_byMany_writesInTheOrderOfTheTokens() throws Exception {
        var tokens = new AtomicInteger();
        List<Future<?>> writers = new ArrayList<>();
        var begin = new CountDownLatch(1);
        for (int writer = 0; writer < 4; writer++) {
            writers.add(threads.submit(() -> {
                begin.await();
                try (Connection holder = DriverManager.getConnection(url)) {
                    holder.setAutoCommit(false);
                    for (int round = 0; round < 25; round++) {
                        write(holder, tokens.incrementAndGet());
                    }
                }
                return null;
            }));
        }
        begin.countDown();
        for (Future<?> each : writers) {
            each.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        }

        assertThat(written()).isSorted().hasSizeGreaterThan(25);
    }

    private void write(Connection holder, long token) throws SQLException {
        try {
            fences.claim(holder, "book", token, 0);
            note(holder, token);
            holder.commit();
        } catch (LockLostException overtaken) {
            holder.commit();
        }
    }

    /**
     * PostgreSQL refuses what a transaction cannot see as it has been entered since it began. The others look at it, and
     * then read what was there before it: the documents ask for a claim before anything is read.
     */
    @Test
    void claim_byAnOldSnapshot_isTheDatabasesOwnErrorOrIsFollowedByOldReads() throws SQLException {
        Connection holder = oldSnapshot(Connection.TRANSACTION_REPEATABLE_READ, 4);

        Throwable refused = catchThrowable(() -> fences.claim(holder, "account-7", 5, 0));

        if (database == Database.POSTGRESQL) {
            assertThat(refused).isInstanceOf(SQLException.class);
            assertThat(((SQLException) refused).getSQLState()).isEqualTo("40001");
        } else {
            assertThat(refused).isNull();
            assertThat(balance(holder)).isEqualTo(100);
        }
        holder.rollback();
        fences.claim(holder, "account-7", 5, 0);
        assertThat(balance(holder)).isEqualTo(90);
        holder.commit();
    }

    @Test
    void claim_afterAReadWithReadCommitted_isFollowedByNewReads() throws SQLException {
        Connection holder = oldSnapshot(Connection.TRANSACTION_READ_COMMITTED, 4);

        fences.claim(holder, "account-7", 5, 0);

        assertThat(balance(holder)).isEqualTo(90);
        holder.commit();
    }

    @Test
    void claim_ofAnOlderTokenByAnOldSnapshot_isRefused() throws SQLException {
        Connection former = oldSnapshot(Connection.TRANSACTION_REPEATABLE_READ, 6);

        assertThat(catchThrowable(() -> fences.claim(former, "account-7", 5, 0)))
                .isInstanceOfAny(LockLostException.class, SQLException.class);
        former.rollback();
        fences.claim(former, "account-7", 6, 0);
        former.commit();
    }

    /** A transaction that has read before another one has claimed the account with this token, and changed it. */
    private Connection oldSnapshot(int isolation, long token) throws SQLException {
        Connection old = transaction();
        old.setTransactionIsolation(isolation);
        assertThat(balance(old)).isEqualTo(100);
        Connection another = transaction();
        fences.claim(another, "account-7", token, 0);
        execute(another, "update account set balance = 90 where id = 7");
        another.commit();
        return old;
    }

    private Connection opened() throws SQLException {
        Connection another = DriverManager.getConnection(url);
        opened.add(another);
        return another;
    }

    private Connection transaction() throws SQLException {
        Connection another = opened();
        another.setAutoCommit(false);
        return another;
    }

    private String serial() {
        return switch (database) {
            case POSTGRESQL -> "bigserial primary key";
            case MARIADB -> "bigint auto_increment primary key";
            case H2 -> "bigint generated always as identity primary key";
        };
    }

    private int balance() throws SQLException {
        return balance(connection);
    }

    private static int balance(Connection by) throws SQLException {
        try (Statement sql = by.createStatement();
                ResultSet row = sql.executeQuery("select balance from account where id = 7")) {
            row.next();
            return row.getInt(1);
        }
    }

    private List<Long> written() throws SQLException {
        List<Long> tokens = new ArrayList<>();
        try (Statement sql = connection.createStatement();
                ResultSet rows = sql.executeQuery("select token from written order by no")) {
            while (rows.next()) {
                tokens.add(rows.getLong(1));
            }
        }
        return tokens;
    }

    private static void note(Connection by, long token) throws SQLException {
        try (PreparedStatement sql = by.prepareStatement("insert into written (token) values (?)")) {
            sql.setLong(1, token);
            sql.executeUpdate();
        }
    }

    private static void execute(Connection by, String statement) throws SQLException {
        try (Statement sql = by.createStatement()) {
            sql.execute(statement);
        }
    }
}
