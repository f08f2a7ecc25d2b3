package io.baton.testkit.database;

import io.baton.testkit.server.ServerExtension;

/**
 * Provides the tests of a class with a real MariaDB server, and each test with its own database. {@link #uri()} is its
 * JDBC URL.
 *
 * <pre>{@code
 * @RegisterExtension
 * static final MariaDbExtension mariadb = new MariaDbExtension();
 *
 * @Test
 * void placeOrder_...() {
 *     try (Connection connection = DriverManager.getConnection(mariadb.uri())) {
 *         ...
 *     }
 * }
 * }</pre>
 */
public final class MariaDbExtension extends ServerExtension<LocalMariaDb> {

    /** Uses a server with the settings of {@link LocalMariaDb}. */
    public MariaDbExtension() {
        super(LocalMariaDb.class, LocalMariaDb::start);
    }
}
