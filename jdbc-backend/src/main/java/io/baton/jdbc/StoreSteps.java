package io.baton.jdbc;

import java.time.Duration;

/**
 * The steps of one session in its database, each one transaction. Rows are locked in this order, which spares most
 * deadlocks: session, entries, lines, trees, and the store's clock last.
 *
 * <p>A line's row is locked by each step that changes the line, up to its commit. So the order of tokens is the order of
 * commits, and of two that leave at once the later one sees who is first then. Only a statement <em>after</em> the one
 * that got the lock sees what was committed before, as each has a snapshot of its own.
 */
final class StoreSteps {

    final SessionSteps session;
    final LookSteps looks;
    final LineSteps lines;
    final RecordSteps records;

    StoreSteps(SqlDialect dialect, String sid, Duration ttl, String client) {
        var database = new SessionDatabase(dialect, new Sql(dialect), sid);
        var changes = new LineChanges(database);
        session = new SessionSteps(database, changes, ttl, client);
        looks = new LookSteps(database);
        lines = new LineSteps(database, changes);
        records = new RecordSteps(database, changes);
    }
}
