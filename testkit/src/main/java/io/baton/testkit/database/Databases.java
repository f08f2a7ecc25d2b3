package io.baton.testkit.database;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;

/** The databases of tests on one server. */
final class Databases {

    /** PostgreSQL cuts longer names. */
    private static final int LONGEST = 60;

    private Databases() {}

    /** The name of the database for a test's place. Its end, which is unlike any other, is kept. */
    static String name(String place) {
        String name = place.replaceAll("[^A-Za-z0-9]+", "_").toLowerCase(Locale.ROOT);
        return "t" + name.substring(Math.max(0, name.length() - LONGEST));
    }

    /**
     * Executes a statement, unless this query has a row.
     *
     * @param url connects as the administrator
     */
    static void ensure(String url, String query, String statement) {
        try (Connection connection = DriverManager.getConnection(url);
                Statement sql = connection.createStatement()) {
            if (!sql.executeQuery(query).next()) {
                sql.execute(statement);
            }
        } catch (SQLException refused) {
            throw new IllegalStateException("cannot make a database; its driver must be on the class path", refused);
        }
    }
}
