/**
 * The store on PostgreSQL and MariaDB. {@link io.baton.jdbc.JdbcStore} builds it; so does a URI that begins with {@code
 * jdbc:}. Every step is one transaction, over two connections per session.
 */
@NullMarked
package io.baton.jdbc;

import org.jspecify.annotations.NullMarked;
