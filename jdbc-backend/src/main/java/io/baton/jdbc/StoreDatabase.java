package io.baton.jdbc;

import io.baton.spi.Guarantees.Survival;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A database as one store uses it.
 *
 * @param connector opens connections
 * @param schema what to do about tables
 * @param acknowledged what acknowledged writes survive, as declared
 */
record StoreDatabase(Connector connector, StoreSchema schema, Survival acknowledged) {

    private static final Logger log = LoggerFactory.getLogger(StoreDatabase.class);

    private static final int LONGEST_CHANGE_MILLIS = 3_600_000;

    /** Opens connections to a database. */
    interface Connector {
        Connection open() throws SQLException, UnfitDatabaseException;
    }

    /** A connection that is ready for a session. */
    record Opened(Connection connection, SqlDialect dialect) {

        /** Returns the rows of a query, in a transaction of its own. */
        List<Flight.Row> rows(String query, List<?> values) throws SQLException {
            return dialect.execute(connection, new Flight().add(query, values), true)
                    .get(0)
                    .rows();
        }
    }

    /** Connects, prepares the connection, and refuses a server that cannot serve. */
    Opened open(String session, Duration ttl) throws SQLException, UnfitDatabaseException {
        Opened opened = connect(session, ttl);
        boolean fit = false;
        try {
            Optional<SqlDialect.Unfit> unfit = opened.dialect().inspect(opened.connection());
            if (unfit.isPresent()) {
                throw new UnfitDatabaseException(unfit.get().why(), unfit.get().passing());
            }
            verifyAcknowledged(opened);
            fit = true;
            return opened;
        } finally {
            if (!fit) {
                discard(opened.connection());
            }
        }
    }

    private void verifyAcknowledged(Opened opened) throws SQLException, UnfitDatabaseException {
        if (acknowledged != Survival.LATEST_MAY_BE_LOST) {
            List<Flight.Row> lossy = opened.rows(opened.dialect().lossy(), List.of());
            if (!lossy.isEmpty()) {
                throw new UnfitDatabaseException(LossySettings.why(lossy), false);
            }
        }
    }

    /** Connects and prepares the connection, also to a server that cannot serve. */
    Opened connect(String session, Duration ttl) throws SQLException, UnfitDatabaseException {
        Connection connection = connect();
        boolean ready = false;
        try {
            SqlDialect dialect = dialect(connection);
            limitSilenceInAttach(connection, ttl);
            dialect.prepare(connection, session, ttl);
            ready = true;
            return new Opened(connection, dialect);
        } finally {
            if (!ready) {
                discard(connection);
            }
        }
    }

    /** Ends a connection that another thread may be using. */
    static void abort(Connection connection) {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException ignored) {
            log.debug("cannot end a connection", ignored);
        }
    }

    /**
     * Ends a connection for good, on the thread that uses it. A pool counts it as used until it is closed, and would hand
     * it on with the settings of a session if it were not aborted before.
     */
    static void discard(Connection connection) {
        abort(connection);
        try {
            connection.close();
        } catch (SQLException ignored) {
            log.debug("cannot close a connection", ignored);
        }
    }

    /** Many may come back to a server at once, each with work for it: what is silent is told apart later. */
    static void limitSilenceInAttach(Connection connection, Duration ttl) throws SQLException {
        connection.setNetworkTimeout(Runnable::run, (int) Math.max(10_000, ttl.toMillis()));
    }

    /** While a change is made that takes long, whoever waits for it. Not for ever, as the server may have gone. */
    static void limitSilenceInLongChange(Connection connection) throws SQLException {
        connection.setNetworkTimeout(Runnable::run, LONGEST_CHANGE_MILLIS);
    }

    /** From now on, what hangs for longer than half of a ttl has no contact. */
    static void limitSilence(@Nullable Connection connection, Duration ttl) throws SQLException {
        if (connection != null) {
            connection.setNetworkTimeout(Runnable::run, (int) Math.max(2_000, ttl.toMillis() / 2));
        }
    }

    private Connection connect() throws SQLException, UnfitDatabaseException {
        try {
            return connector.open();
        } catch (SQLException refused) {
            String message = String.valueOf(refused.getMessage());
            if (isLogin(refused)) {
                throw new UnfitDatabaseException("the database refuses the login: " + message, false);
            }
            if (message.contains("specified targetServerType")) { // of PostgreSQL's driver, which has asked each server
                throw new UnfitDatabaseException(
                        "no server of the address was found that accepts writes: each is a standby, read-only, away, or"
                                + " refuses this user",
                        true);
            }
            throw refused;
        }
    }

    /** Credentials that are wrong or missing, and a database that does not exist or that the user may not use. */
    private static boolean isLogin(SQLException refused) {
        String state = String.valueOf(refused.getSQLState());
        return switch (refused.getErrorCode()) {
            case 0 -> // PostgreSQL
                state.startsWith("28") || List.of("3D000", "42501", "08004").contains(state);
            case 1044, 1049 -> true;
            default -> state.startsWith("28");
        };
    }

    /** Returns the dialect of what this is a connection to. */
    static SqlDialect dialect(Connection connection) throws SQLException, UnfitDatabaseException {
        String product = connection.getMetaData().getDatabaseProductName();
        return switch (product) {
            case "PostgreSQL" -> new PostgresDialect();
            case "MariaDB" -> new MariaDbDialect(false);
            case "MySQL" -> new MariaDbDialect(true);
            default ->
                throw new UnfitDatabaseException(
                        "there is no store on " + product + ", only on PostgreSQL, MariaDB and MySQL", false);
        };
    }
}
