package io.baton.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** What differs between databases. All other statements are in {@link Sql}, and the tables in a script beside. */
interface SqlDialect {

    /** What an error means for the step. */
    enum Fault {
        /** Nothing was applied; the same step may succeed now. */
        REPEAT,
        /** The connection is broken or the server is about to end it; the outcome is unknown. */
        BROKEN,
        /** The server refused the step; nothing was applied. */
        REFUSED
    }

    /** The name of the product, for people, and of the script with its tables. */
    String product();

    /** The server's wall clock in milliseconds at the moment of execution, whatever the session's time zone. */
    String wall();

    /** Locks a session's row against its removal and another epoch, behind a query. */
    String lockSession();

    /** Locks rows against changes, behind a query. */
    String share();

    /** Raises a line's number, which also locks the line, if the session is in this epoch. Parameters: path, sid, epoch. */
    String raiseLine();

    /** Inserts or replaces a record. Parameters: tree, name, value, revision. */
    String putRecord();

    /** Inserts what is not there yet, before {@code into}. */
    String insertIgnore();

    /** Ends a statement that began with {@link #insertIgnore()}. */
    String unlessThere();

    /** The larger, and the smaller, of two values, as on both databases. */
    default String max(String a, String b) {
        return "greatest(" + a + ", " + b + ")";
    }

    /** Prepares a new connection. */
    void prepare(Connection connection, Limits limits) throws SQLException;

    /**
     * Refuses a server that cannot serve.
     *
     * @throws UnfitDatabaseException with the reason
     */
    void inspect(Connection connection) throws SQLException;

    /** Returns an identity of the server, for the incarnation. One row. */
    String server();

    /** Executes the statements, and commits them if asked. */
    List<Flight.Answer> execute(Connection connection, Flight flight, boolean commit) throws SQLException;

    /** Whether sessions are sent pushes; otherwise they look for changes. */
    boolean pushes();

    /** Lets one client at a time create tables, until its transaction ends. */
    String lockSchema();

    /** Ends {@link #lockSchema()}. */
    String unlockSchema();

    /** Classifies an error. */
    Fault classify(SQLException error);

    /** Bounds on a connection's statements. */
    record Limits(String sid, Duration statement, boolean durable) {}
}
