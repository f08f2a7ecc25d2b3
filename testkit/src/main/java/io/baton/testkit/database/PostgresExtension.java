package io.baton.testkit.database;

import io.baton.testkit.server.ServerExtension;

/**
 * Provides the tests of a class with a real PostgreSQL server, and each test with its own database. {@link #uri()} is its
 * JDBC URL.
 *
 * <pre>{@code
 * @RegisterExtension
 * static final PostgresExtension postgres = new PostgresExtension();
 *
 * @Test
 * void placeOrder_...() {
 *     try (Connection connection = DriverManager.getConnection(postgres.uri())) {
 *         ...
 *     }
 * }
 * }</pre>
 */
public final class PostgresExtension extends ServerExtension<LocalPostgres> {

    /** Uses a server with the settings of {@link LocalPostgres}. */
    public PostgresExtension() {
        super(LocalPostgres.class, LocalPostgres::start);
    }
}
