package io.baton.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** What differs between databases. {@link Sql} has all other statements, and a script beside it the tables. */
interface SqlDialect {

    /** What an error means for a step. */
    enum Fault {
        /** Nothing was applied, and the same step may succeed now. */
        REPEAT,
        /** The connection is broken, or the server does not serve; the outcome is unknown. */
        BROKEN,
        /** The server refused the step; nothing was applied. */
        REFUSED
    }

    /** The product's name, for people. */
    String product();

    /** The name of the script with the tables. */
    String script();

    /** The server's wall clock in milliseconds when it is executed, in whatever time zone. */
    String wall();

    /** A random number, another one for each row. */
    String random();

    /** Ends a query that keeps a session's row and its epoch as they are. */
    String keepSession();

    /** Ends a query that lets nobody change the rows. */
    String share();

    /** Inserts a row unless its key is there: what follows {@code insert}, and what ends the statement. */
    String insertIgnore();

    /** See {@link #insertIgnore()}. */
    String unlessThere();

    /**
     * Ends an insertion of a row that is about to be locked, and may be there. If that locks it, then as a change does:
     * those that share a lock, and then each want one of their own, are a deadlock.
     *
     * @param column one that is not in the key
     */
    String unlessThere(String column);

    /**
     * Raises a line's number, or begins it, if the session is in this epoch and the server {@link #accepts} that.
     * Parameters: path, sid, epoch.
     */
    String raiseLine();

    /** Writes a record. Parameters: tree, name, value, revision. */
    String putRecord();

    /** The text of a binary prefix and a column behind it. */
    String concat(String... parts);

    /**
     * Prepares a new connection for a session.
     *
     * @throws UnfitDatabaseException if it is seen to be one of a pooler, before anything is set that others would feel
     */
    void prepare(Connection connection, String sid, Duration ttl) throws SQLException, UnfitDatabaseException;

    /** Returns why this server cannot serve as it is set up; empty if it can. */
    Optional<Unfit> inspect(Connection connection) throws SQLException;

    /**
     * A query for the settings by which a crash of the machine may lose or damage what the server has acknowledged: rows of
     * a name and its value.
     */
    String lossy();

    /**
     * Whether the server accepts writes of all users, and has begun the history in this run, where it may become a replica
     * and keep its connections: an expression that costs little. Empty where it cannot.
     */
    Optional<String> accepts();

    /** An expression that identifies the server. It may cost much. */
    String server();

    /** Executes the statements, and commits them if told so. A durable commit survives a crash of the server. */
    List<Flight.Answer> execute(Connection connection, Flight flight, boolean commit) throws SQLException;

    /** Begins a transaction whose commit survives a crash; none where every commit does. */
    Optional<String> durable();

    /** Returns statements that do the same without a limit of time. They may lift it until the end of the transaction. */
    List<String> unhurried(String statement);

    /** Lets one client at a time create tables, until {@link #unlockSchema()} or the end of the connection. */
    String lockSchema();

    /** See {@link #lockSchema()}. */
    String unlockSchema();

    /** What operators ask. */
    OperatorQueries operatorQueries();

    /** Classifies an error. */
    Fault classify(SQLException error);

    /** Whether the user lacks a right. */
    boolean isMissingRight(SQLException error);

    /** Whether there is no place for tables: none of the schemas to look in exists, or no database is in use. */
    boolean isMissingPlace(SQLException error);

    /** Whether a statement was ended as it took too long. */
    boolean isOutOfTime(SQLException error);

    /** Whether a statement was ended as it waited too long for a lock. */
    boolean isOutOfPatience(SQLException error);

    /**
     * How an owner shows to those behind it that its entry stands, where the server has no pushes. An entry may stand
     * and not be shown, or be gone and still be shown, as the connection that showed it may break.
     */
    Optional<Hint> hint();

    /**
     * Locks of the server that belong to a connection and no transaction. Each statement has a name as its parameter.
     *
     * @param show takes the name's lock
     * @param hide releases it
     * @param await takes it once nobody has it, or gives up after so many seconds; the second parameter
     */
    record Hint(String show, String hide, String await) {}

    /** Returns the pushes of a session's connection; empty where the server has none. */
    Optional<Pushes> pushes(Connection connection, String sid) throws SQLException;

    /**
     * Sends a text to sessions.
     *
     * @param sid an expression
     * @param text an expression
     * @return an expression for a query's columns; empty where the server has no pushes
     */
    Optional<String> push(String sid, String text);

    /**
     * Why a server cannot serve.
     *
     * @param passing whether that may pass by itself
     */
    record Unfit(String why, boolean passing) {}

    /**
     * A query that says whether a connection is still the one that was prepared for a session, and that listens; its
     * parameters are the session's id, twice. Empty where there are no pushes.
     */
    Optional<String> listens();

    /** What the server sends to a session. */
    interface Pushes {
        /** Waits for texts, no longer than this. */
        List<String> await(Duration most) throws SQLException;
    }
}
