package io.baton.fence.jdbc;

import io.baton.CheckReturnValue;
import io.baton.Hold;
import io.baton.StaleTokenException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * A table with a column for fencing tokens: each row keeps the largest token that has written it, and refuses smaller
 * ones.
 *
 * <pre>{@code
 * FencedTable accounts = FencedTable.of("account", "id", "fence");
 * // update account set fence = ? where id = ? and fence <= ?
 * boolean found = accounts.claim(connection, hold, 7); // before anything is read
 * ...
 * // update account set balance = ?, fence = ? where id = ? and fence <= ?
 * boolean written = accounts.update(connection, hold, 7, "balance = ?", 90);
 * }</pre>
 *
 * <p><b>Guarantees.</b> A row that a holder has claimed or written is not written by a former one. The check and the
 * write are one statement, so a connection that commits each statement will do. In a transaction, a refused write rolls
 * back all of it.
 *
 * <p><b>Not guaranteed.</b> Anything for statements that do not go through this class, such as insertions and
 * deletions. A holder that reads a row without a claim may read what a former one still changes, and write over it.
 * Where a lock covers more than a row, use {@link Fences}.
 *
 * <p><b>In a transaction the claim is the first statement;</b> roll back first if one may be open. With {@code REPEATABLE
 * READ}, MariaDB's and MySQL's default, a transaction reads what was there at its first read. If that was before the
 * claim, PostgreSQL and H2 refuse the claim of a row that was written since, but MariaDB lets it pass, and what is read
 * next from other rows may be older than what a former holder has written. {@code READ COMMITTED} reads anew with each
 * statement.
 *
 * <p>A fence that is null is lower than any token. A row belongs to one lock, in one store: tokens of different locks or stores cannot be compared. Errors of the
 * database, such as serialization failures and deadlocks, are passed on as they are.
 *
 * <p><b>Threads.</b> Immutable.
 */
public final class FencedTable {

    private final String table;
    private final String key;
    private final String fence;

    private FencedTable(String table, String key, String fence) {
        this.table = table;
        this.key = key;
        this.fence = fence;
    }

    /**
     * Uses the column {@code fence} of this table. The names become part of statements: never take them from an input.
     *
     * @param key the column that tells rows apart
     */
    public static FencedTable of(String table, String key, String fence) {
        return new FencedTable(Identifiers.table(table), Identifiers.column(key), Identifiers.column(fence));
    }

    /** The statement that adds the column, to be printed or put among a program's migrations. The same for all databases. */
    public String ddl() {
        return "alter table " + table + " add column " + fence + " bigint default 0 not null";
    }

    /**
     * Keeps out all holders before this one, from now on: in a transaction, from its commit on, and until then the row
     * is locked. Idempotent.
     *
     * @return whether there is such a row
     * @throws StaleTokenException as {@link #update(Connection, Hold, Object, String, Object...)}
     */
    @CheckReturnValue
    public boolean claim(Connection connection, Hold hold, Object rowKey) throws SQLException {
        return update(connection, hold, rowKey, "");
    }

    /** {@link #claim(Connection, Hold, Object)} for a holder in another process. */
    @CheckReturnValue
    public boolean claim(Connection connection, long token, Object rowKey) throws SQLException {
        return update(connection, token, rowKey, "");
    }

    /**
     * Writes a row as this holder, which counts as a claim.
     *
     * @param rowKey the row
     * @param assignments what to set, as {@code "balance = balance - ?, changed_by = ?"}; part of the statement: never take
     *     it from an input
     * @param values those of the question marks, for {@link PreparedStatement#setObject(int, Object)}
     * @return whether there is such a row
     * @throws StaleTokenException if a later holder has written the row; a transaction that was open has been rolled back,
     *     or the message says that it could not be
     * @throws SQLException if the database refuses, or something in it, as a trigger, leaves the row as it was
     * @throws IllegalArgumentException for a hold with a turn: owners in one process share its token, which a single
     *     column cannot tell apart; use {@link Fences}
     */
    @CheckReturnValue
    public boolean update(Connection connection, Hold hold, Object rowKey, String assignments, Object... values)
            throws SQLException {
        if (hold.turn() != 0) {
            throw new IllegalArgumentException(
                    "owners in one process share the token of this lock, and one column cannot"
                            + " tell them apart: use Fences");
        }
        return update(connection, hold.token(), rowKey, assignments, values);
    }

    /** {@link #update(Connection, Hold, Object, String, Object...)} for a holder in another process. */
    @CheckReturnValue
    public boolean update(Connection connection, long token, Object rowKey, String assignments, Object... values)
            throws SQLException {
        if (write(connection, token, rowKey, assignments, values) > 0) {
            return true;
        }
        boolean commits = connection.getAutoCommit();
        if (!commits) {
            return look(connection, token, rowKey, assignments, values);
        }
        connection.setAutoCommit(false);
        boolean found;
        try {
            found = look(connection, token, rowKey, assignments, values);
            connection.commit();
        } catch (Throwable refused) {
            try {
                connection.rollback();
                connection.setAutoCommit(true);
            } catch (SQLException broken) { // what was refused tells the caller more
                refused.addSuppressed(broken);
            }
            throw refused;
        }
        connection.setAutoCommit(true);
        return found;
    }

    /**
     * Finds out why no row was counted: it is missing, its fence is higher, or, where the driver counts changed rows
     * only, it had these values already. Once the row is locked and its fence is known, the second write applies. Where rows
     * that match are counted, it counts none only if something in the database keeps it from being applied.
     */
    private boolean look(Connection connection, long token, Object rowKey, String assignments, Object... values)
            throws SQLException {
        try (PreparedStatement sql = connection.prepareStatement(
                "select " + fence + " from " + table + " where " + key + " = ? for update")) {
            sql.setObject(1, rowKey);
            try (ResultSet row = sql.executeQuery()) {
                if (!row.next()) {
                    return false;
                }
                long seen = row.getLong(1);
                if (seen > token) {
                    throw StaleTokens.refuse(
                            connection,
                            table + " " + rowKey,
                            new StaleTokens.HolderToken(token, 0),
                            new StaleTokens.HolderToken(seen, 0));
                }
            }
        }
        if (write(connection, token, rowKey, assignments, values) == 0 && !mayCountChanges(connection)) {
            throw new SQLException("the database does not let the row " + rowKey + " of " + table
                    + " be written, though it may be by its fence: is there a trigger or a rule?");
        }
        return true;
    }

    /** Whether a row that had these values already may not be counted. */
    private static boolean mayCountChanges(Connection connection) throws SQLException {
        String product = connection.getMetaData().getDatabaseProductName();
        return product.equals("MariaDB") || product.equals("MySQL");
    }

    private int write(Connection connection, long token, Object rowKey, String assignments, Object... values)
            throws SQLException {
        try (PreparedStatement sql = connection.prepareStatement(
                "update " + table + " set " + assignments + (assignments.isEmpty() ? "" : ", ") + fence + " = ? where "
                        + key + " = ? and (" + fence + " is null or " + fence + " <= ?)")) {
            int index = 1;
            for (Object value : values) {
                sql.setObject(index++, value);
            }
            sql.setLong(index++, token);
            sql.setObject(index++, rowKey);
            sql.setLong(index, token);
            return sql.executeUpdate();
        }
    }
}
