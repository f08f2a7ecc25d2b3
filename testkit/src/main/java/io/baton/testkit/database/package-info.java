/**
 * Real database servers for tests: PostgreSQL and MariaDB. They need no JDBC driver, except where a test asks for a
 * database of its own.
 */
@NullMarked
package io.baton.testkit.database;

import org.jspecify.annotations.NullMarked;
