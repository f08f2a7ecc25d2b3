/**
 * Fencing tokens that a relational database checks.
 *
 * <p>A lock cannot end a write that has begun under it: its holder may have been frozen meanwhile. The database refuses
 * that write, once it has seen the token of a later holder. {@link io.baton.fence.jdbc.FencedTable} checks a row of a
 * table against a column of its own; {@link io.baton.fence.jdbc.Fences} checks a whole transaction against a name.
 *
 * <p>Both work on the program's own {@link java.sql.Connection}, in its own transaction, and never commit one of the
 * program's. Errors of the database are passed on as they are.
 */
@NullMarked
package io.baton.fence.jdbc;

import org.jspecify.annotations.NullMarked;
