package io.baton.fence.jdbc;

import io.baton.Hold;
import io.baton.StaleTokenException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import java.sql.Statement;

/**
 * A table of fences: for each name, the largest token seen. A transaction that claims a name is refused if a later
 * holder has claimed it.
 *
 * <pre>{@code
 * Fences fences = Fences.in("baton_fence", Database.POSTGRESQL);
 * connection.setAutoCommit(false);
 * fences.claim(connection, "account-7", hold); // before anything is read
 * ...                                          // any statements
 * connection.commit();
 * }</pre>
 *
 * <p><b>Guarantees.</b> Transactions that have claimed the same name run one after the other, in the order of their
 * tokens: the claim locks the name's row until the transaction ends. A claim with a smaller token throws, and the
 * transaction is rolled back.
 *
 * <p><b>Not guaranteed.</b> Anything for transactions that do not claim. A claim does not say that the lock is still
 * held: a former holder is refused only once a later one has claimed, so claim before anything is read. A claim that is
 * rolled back is forgotten.
 *
 * <p><b>The claim is the first statement of its transaction;</b> roll back first on a connection that may have one open.
 * With {@code REPEATABLE READ}, MariaDB's and MySQL's default, a transaction reads what was there at its first read. If
 * that was before a former holder's last claim, PostgreSQL refuses this one, but MariaDB and H2 let it pass, and what is
 * read next may be older than what the former holder has written. {@code READ COMMITTED} reads anew with each statement.
 *
 * <p>Names are of one lock each, in one store: tokens of different locks or stores cannot be compared. What isolation
 * the transaction has is the program's choice. Where the database refuses a transaction for its isolation, or for a
 * deadlock, that error is passed on as it is, and the transaction is to be run again.
 *
 * <p><b>Threads.</b> Immutable.
 */
public final class Fences {

    /** How long a name may be, in characters. */
    public static final int LONGEST_NAME = 255;

    private static final String UNIQUE_VIOLATION_CLASS = "23";
    private static final String SERIALIZATION_FAILURE = "40001";

    private final Database database;
    private final String createTable;
    private final String raise;
    private final String read;

    private Fences(Database database, String table) {
        this.database = database;
        this.createTable = database.createTable(table);
        this.raise = database.raise(table);
        this.read = "select token, turn from " + table + " where name = ? for update";
    }

    /**
     * Uses this table, which {@link #createTable} makes. Its name becomes part of statements: never take it from an
     * input.
     */
    public static Fences in(String table, Database database) {
        return new Fences(database, Identifiers.table(table));
    }

    /** The statement that makes the table unless it exists, to be printed or put among a program's migrations. */
    public String ddl() {
        return createTable;
    }

    /**
     * Makes the table unless it exists. On MariaDB, that commits a transaction that is open; on PostgreSQL, two that do
     * so at once may fail. Rather call it when the program is installed.
     */
    public void createTable(Connection connection) throws SQLException {
        try (Statement sql = connection.createStatement()) {
            sql.execute(createTable);
        }
    }

    /**
     * Claims a name for this transaction, of which this has to be the first statement. Idempotent.
     *
     * @throws StaleTokenException if a later holder has claimed it; the transaction has been rolled back, or the message
     *     says that it could not be
     * @throws IllegalStateException if the connection commits each statement, so that nothing would hold until the next
     * @throws IllegalArgumentException for a name that is too long, and on MariaDB and MySQL for one that ends in a space
     */
    public void claim(Connection connection, String name, Hold hold) throws SQLException {
        claim(connection, name, hold.token(), hold.turn());
    }

    /** {@link #claim(Connection, String, Hold)} for a holder in another process; {@code turn} is 0 unless its lock has a cohort. */
    public void claim(Connection connection, String name, long token, long turn) throws SQLException {
        if (name.codePointCount(0, name.length()) > LONGEST_NAME) {
            throw new IllegalArgumentException("a name has at most " + LONGEST_NAME + " characters: " + name);
        }
        database.check(name);
        if (connection.getAutoCommit()) {
            throw new IllegalStateException("the connection commits each statement, so the claim of '" + name
                    + "' would not hold until the next: call setAutoCommit(false) first");
        }
        raise(connection, name, token, turn);
        // What the statement above counts differs among databases and drivers' settings; what it left does not.
        try (PreparedStatement sql = connection.prepareStatement(read)) {
            sql.setString(1, name);
            try (ResultSet row = sql.executeQuery()) {
                if (!row.next()) {
                    throw new SQLTransactionRollbackException(
                            "the transaction cannot see '" + name + "', which another one has entered since it began:"
                                    + " roll it back and run it again",
                            SERIALIZATION_FAILURE);
                }
                var own = new StaleTokens.HolderToken(token, turn);
                var seen = new StaleTokens.HolderToken(row.getLong(1), row.getLong(2));
                if (!seen.equals(own)) {
                    throw StaleTokens.refuse(connection, "'" + name + "'", own, seen);
                }
            }
        }
    }

    private void raise(Connection connection, String name, long token, long turn) throws SQLException {
        try {
            execute(connection, name, token, turn);
        } catch (SQLException refused) {
            // H2 does not wait for another transaction that enters the same name, and then fails only the statement.
            if (database != Database.H2
                    || !String.valueOf(refused.getSQLState()).startsWith(UNIQUE_VIOLATION_CLASS)) {
                throw refused;
            }
            execute(connection, name, token, turn);
        }
    }

    private void execute(Connection connection, String name, long token, long turn) throws SQLException {
        try (PreparedStatement sql = connection.prepareStatement(raise)) {
            sql.setString(1, name);
            sql.setLong(2, token);
            sql.setLong(3, turn);
            sql.executeUpdate();
        }
    }
}
