package io.baton.jdbc;

import java.util.Collections;

/** The statements that are the same on all databases but for what {@link SqlDialect} fills in. */
final class Sql {

    /** The cap of what one look may add to the store's clock, and how much longer than its ttl a session is kept. */
    static final long CAP = 1250;

    /** A session that the wall clock alone has seen silent for so much longer than its ttl is over as well. */
    private static final long DAY = 86_400_000;

    private static final long WRITE_CLOCK_EVERY = 250;

    final String tick;
    final String attach;
    final String beat;
    final String overdue;
    final String lockOverdue;
    final String lockSession;
    final String insertEntry;

    Sql(SqlDialect dialect) {
        String wall = dialect.wall();
        String clock = "(c + least(greatest(" + wall + " - w, 0), " + CAP + "))";
        String over = "(" + clock + " >= s.beat_c + s.ttl + " + CAP + " or " + wall + " >= s.beat_w + s.ttl + " + DAY + ")";
        tick = "update baton_store set c = " + clock + ", w = " + wall + " where id = 1 and (" + wall + " - w >= "
                + WRITE_CLOCK_EVERY + " or " + wall + " < w)";
        beat = "update baton_session set beat_c = (select " + clock + " from baton_store where id = 1), beat_w = " + wall
                + " where sid = ? and epoch = ?";
        attach = "update baton_session set epoch = ? where sid = ?";
        overdue = "select s.sid from baton_session s, baton_store where " + over + " limit 8";
        lockOverdue = "select s.sid from baton_session s, baton_store where s.sid = ? and " + over
                + " for update of s skip locked";
        lockSession = "select epoch from baton_session where sid = ? and epoch = ?" + dialect.lockSession();
        insertEntry = "";
    }

    /** As many question marks as there are values, for a list. */
    static String marks(int count) {
        return String.join(", ", Collections.nCopies(count, "?"));
    }
}
