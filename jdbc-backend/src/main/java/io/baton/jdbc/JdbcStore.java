package io.baton.jdbc;

import io.baton.CheckReturnValue;
import io.baton.Hold;
import io.baton.LockLostException;
import io.baton.spi.EntryHold;
import io.baton.spi.Guarantees.Survival;
import io.baton.spi.Peer;
import io.baton.spi.Store;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;

/**
 * Builds stores on PostgreSQL and MariaDB in program code, and holds an entry within a transaction of the program. {@link
 * io.baton.Coordinator#connect(String)} is enough for settings that a URI, a file and the environment can hold.
 *
 * <pre>{@code
 * Store store = JdbcStore.builder(dataSource).build();
 * try (Coordinator baton = Coordinator.connect(store, CoordinatorOptions.defaults());
 *         Hold hold = baton.lock("account-7").acquire();
 *         Connection connection = dataSource.getConnection()) {
 *     connection.setAutoCommit(false);
 *     JdbcStore.stands(connection, hold); // nobody is granted the lock before the commit
 *     ...
 *     connection.commit();
 * }
 * }</pre>
 */
public final class JdbcStore {

    private JdbcStore() {}

    /**
     * Returns a builder for a store in this database. Each session keeps two connections for as long as it lives, and
     * ends them by {@link Connection#abort} before it closes them; a pool that is shared with others has to be large enough for that, and must
     * not take connections back. The source has to give up a server that says nothing: a session asks it again after its
     * ttl, or 10 s if that is longer, and each attempt has a thread of its own. Of MariaDB's driver it should set {@code
     * allowMultiQueries}, or each statement of a step is a round trip.
     */
    public static Builder builder(DataSource dataSource) {
        return new Builder(dataSource);
    }

    /**
     * Checks that the entry of a hold stands, and keeps it standing until the connection's transaction ends: until then
     * nobody else is granted the lock, even if the hold's session expires. For data in the same database, and the same
     * schema, as the store.
     *
     * <p>Call it first in the transaction; roll back first if one may be open. With {@code REPEATABLE READ}, MariaDB's
     * default, or {@code SERIALIZABLE} on PostgreSQL, a transaction reads what was there at its first read. If that was
     * before the lock was granted, this may pass, and what is read next may be older than what a former holder has
     * written. On PostgreSQL it may also say that the entry is gone, though the hold stands: the transaction does not see
     * an entry that was made after its first read.
     *
     * <p>The lock is of that one entry. Other lines are not delayed, nor are other contenders that join this line.
     *
     * @throws LockLostException if the entry is gone, or the hold was released, or is not certain to be valid; the
     *     transaction has been rolled back
     * @throws IllegalStateException if the connection commits each statement
     * @throws IllegalArgumentException if the hold is not Baton's, or the connection is to another kind of database; for a
     *     hold with a turn, as the owners in one process have the same entry, which keeps none of them out: use {@code
     *     Fences} of {@code baton-fence-jdbc}
     */
    public static void stands(Connection connection, Hold hold) throws SQLException {
        if (!(hold instanceof EntryHold standing)) {
            throw new IllegalArgumentException(hold + " was not granted by a coordinator");
        }
        if (hold.turn() != 0) {
            throw new IllegalArgumentException(
                    "owners in one process share the entry of this lock, so it would keep none of them out: use Fences");
        }
        if (connection.getAutoCommit()) {
            throw new IllegalStateException(
                    "the connection commits each statement, so the entry would not be kept until"
                            + " the next: call setAutoCommit(false) first");
        }
        Peer peer = standing.peer();
        try (PreparedStatement sql =
                connection.prepareStatement("select 1 from baton_entry where path = ? and token = ? and name = ?"
                        + dialect(connection).share())) {
            sql.setBytes(1, Sql.key(peer.line()));
            sql.setLong(2, peer.order());
            sql.setString(3, peer.name());
            try (ResultSet row = sql.executeQuery()) {
                if (!row.next()) {
                    throw new LockLostException("the lock '" + hold.name() + "' has passed on: the entry of token "
                            + hold.token() + " is gone");
                }
            }
            // A fail-over may show an entry that has ended. Valid by now, it had not ended before it was locked.
            hold.ensureValid(Duration.ofNanos(1));
        } catch (LockLostException gone) {
            try {
                connection.rollback();
            } catch (SQLException broken) {
                gone.addSuppressed(broken);
            }
            throw gone;
        }
    }

    private static SqlDialect dialect(Connection connection) throws SQLException {
        try {
            return StoreDatabase.dialect(connection);
        } catch (UnfitDatabaseException other) {
            throw new IllegalArgumentException(other.getMessage(), other);
        }
    }

    /** Collects the settings of a store. {@link #build} makes the store. */
    public static final class Builder {

        private final DataSource dataSource;
        private StoreSchema schema = StoreSchema.CREATE;
        private Survival acknowledged = Survival.PRIMARY_DISK;

        private Builder(DataSource dataSource) {
            this.dataSource = dataSource;
        }

        /** Refuses a database without Baton's tables. By default they are created. */
        public Builder verifyOnly() {
            schema = StoreSchema.VERIFY;
            return this;
        }

        /**
         * Declares that a crash of the server's machine may lose the latest writes, or damage others, though they were
         * acknowledged ({@link Survival#LATEST_MAY_BE_LOST}). Recipes that rely on their records then refuse the store
         * unless {@link io.baton.CoordinatorOptions.Builder#acceptLoss} is set. By default there is no contact with a
         * server that may lose them by its settings; connecting to it fails with the reason.
         */
        public Builder latestMayBeLost() {
            acknowledged = Survival.LATEST_MAY_BE_LOST;
            return this;
        }

        /** Returns the store. Does not connect. */
        @CheckReturnValue
        public Store build() {
            return new LiveJdbcStore(
                    new StoreDatabase(dataSource::getConnection, schema, acknowledged), "a data source");
        }
    }
}
