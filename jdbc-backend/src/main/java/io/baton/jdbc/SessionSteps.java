package io.baton.jdbc;

import io.baton.jdbc.Flight.Answer;
import io.baton.jdbc.Flight.Row;
import io.baton.spi.kernel.StepWire.Attached;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/** Steps that begin and end sessions. */
final class SessionSteps {

    /** Entries in one transaction that ends a session: beats wait for it. */
    private static final int MOST_REMOVED = 64;

    /** The epoch of a session that has been ended in part, and does not come back. */
    private static final long ENDED = Long.MAX_VALUE;

    private static final long HISTORIES = 1_000_000_000_000_000L;

    private final SessionDatabase database;
    private final SqlDialect dialect;
    private final Sql sql;
    private final String sid;
    private final LineChanges lines;
    private final long ttl;
    private final String client;
    private volatile boolean raisesAll;

    SessionSteps(SessionDatabase database, LineChanges lines, Duration ttl, String client) {
        this.database = database;
        dialect = database.dialect();
        sql = database.sql();
        sid = database.sid();
        this.lines = lines;
        this.ttl = ttl.toMillis();
        this.client = client;
    }

    /**
     * What an attach has seen.
     *
     * @param answer for the session
     * @param overdue other sessions that seem to be overdue
     */
    record Begun(Attached answer, List<String> overdue) {}

    /**
     * Returns empty if the session has ended.
     *
     * @param history what {@link #incarnate} has returned for this connection
     * @throws OtherEpochException if another attach has come first, or the server has become a replica
     */
    Optional<Begun> attach(Connection connection, String history, boolean first, long epoch, long acknowledged)
            throws SQLException, OtherEpochException {
        Flight begin = database.durable();
        if (first) {
            begin.add(
                    dialect.insertIgnore() + " baton_session (sid, epoch, ttl, beat_c, beat_w, client) select ?, 0, ?, "
                            + sql.clock + ", " + dialect.wall() + ", ? from baton_store where id = 1"
                            + dialect.unlessThere(),
                    sid,
                    ttl,
                    client);
        }
        // Waits for a step of a former contact.
        begin.add("select epoch from baton_session where sid = ? for update", sid);
        List<Answer> begun = database.execute(connection, begin, false);
        if (Flight.last(begun).isEmpty() || Flight.last(begun).first().number(0) == ENDED) {
            connection.rollback();
            return Optional.empty();
        }
        List<Answer> answers = database.execute(
                connection,
                new Flight()
                        .add("update baton_session set epoch = ? where sid = ? and epoch < ?", epoch, sid, epoch)
                        .add(sql.renew, sid, epoch)
                        .add("delete from baton_follower where sid = ?", sid)
                        .add("delete from baton_verdict where sid = ? and n <= ?", sid, acknowledged)
                        .add("select n, verdict from baton_verdict where sid = ?", sid)
                        .add(Sql.OWN, sid)
                        .add(sql.quiet)
                        .add(sql.overdue)
                        // A quiet time has to outlast every session.
                        .add("update baton_store set max_ttl = ? where id = 1 and max_ttl < ?", ttl, ttl)
                        .add(sql.tick),
                true);
        database.checkRenewed(connection, epoch, answers.get(1));
        Map<Long, Boolean> verdicts = new HashMap<>();
        answers.get(4).rows().forEach(row -> verdicts.put(row.number(0), row.flag(1)));
        return Optional.of(new Begun(
                new Attached(
                        SessionDatabase.standings(answers.get(5)),
                        verdicts,
                        history,
                        SessionDatabase.quiet(answers.get(6))),
                SessionDatabase.sessions(answers.get(7))));
    }

    /**
     * Looks whether the server is the one that has all steps since the last look: its marker is lost by a crash and by a
     * promotion. If not, raises what the lost steps may have raised, and begins the quiet time. Returns the history.
     */
    String incarnate(Connection connection) throws SQLException {
        String same = "select s.history, s.generation from baton_store s where s.id = 1 and " + sql.marked;
        Answer known = Flight.last(database.execute(connection, new Flight().add(same), true));
        if (known.isEmpty()) {
            Flight lock = database.durable().add("select 1 from baton_store where id = 1 for update");
            known = Flight.last(database.execute(connection, lock.add(same), false));
            if (known.isEmpty()) {
                known = raiseAll(connection, same);
            } else {
                connection.commit();
            }
        }
        Row row = known.first();
        return Long.toHexString(row.number(0)) + "-" + row.number(1);
    }

    /** There may be very many lines. */
    private Answer raiseAll(Connection connection, String same) throws SQLException {
        Flight begin = new Flight()
                // Two servers may have had equally many incarnations, of which one is lost.
                .add(sql.becomeQuiet, ThreadLocalRandom.current().nextLong(HISTORIES))
                .add(sql.mark);
        dialect.unhurried(sql.raiseAllLines).forEach(begin::add);
        dialect.unhurried(sql.raiseAllTrees).forEach(begin::add);
        raisesAll = true;
        try {
            StoreDatabase.limitSilenceInLongChange(connection);
            Answer known = Flight.last(database.execute(connection, begin.add(same), false));
            if (known.isEmpty()) {
                throw new SQLTransientConnectionException("the server has changed meanwhile", "08000");
            }
            connection.commit();
            return known;
        } finally {
            raisesAll = false;
            if (!connection.isClosed()) {
                StoreDatabase.limitSilenceInAttach(connection, Duration.ofMillis(ttl));
            }
        }
    }

    /**
     * Whether the numbers of all lines are being raised. All sessions wait for that, so it is not ended as one of them gives
     * up waiting: the next would begin anew. Any thread.
     */
    boolean raisesAll() {
        return raisesAll;
    }

    /** Returns whether the session exists, in whatever epoch, and is not being ended by others. */
    boolean exists(Connection connection) throws SQLException {
        return !database.read(connection, "select 1 from baton_session where sid = ? and epoch <> ?", sid, ENDED)
                .isEmpty();
    }

    /**
     * Ends a part of a session if it is overdue, and nobody else works on it. Once the first part is committed, beats and
     * steps of that session find nothing.
     *
     * @return whether nothing is left to do here
     * @throws BusyException if only entries are left that transactions of programs keep
     */
    boolean expire(Connection connection, String overdue) throws SQLException {
        if (database.execute(connection, new Flight().add(sql.lockOverdue, overdue), false)
                .get(0)
                .isEmpty()) {
            connection.rollback();
            return true;
        }
        return remove(
                connection,
                overdue,
                new Flight().add("update baton_session set epoch = ? where sid = ?", ENDED, overdue));
    }

    /**
     * Ends a part of the own session. Nothing marks it as ended before the last part: its owner believes in none of its
     * entries any more, and goes on after a break.
     *
     * @return whether that was the last one
     * @throws BusyException as {@link #expire}
     */
    boolean end(Connection connection) throws SQLException {
        if (database.execute(
                        connection,
                        new Flight().add("select 1 from baton_session where sid = ? for update", sid),
                        false)
                .get(0)
                .isEmpty()) {
            connection.rollback();
            return true;
        }
        return remove(connection, sid, new Flight());
    }

    /**
     * Removes some entries of a session, and with the last of them the session. Its row is locked, so nothing joins.
     *
     * @param unlessLast begins what is done if it is not the last part
     */
    private boolean remove(Connection connection, String session, Flight unlessLast) throws SQLException {
        List<Answer> answers = database.execute(
                connection,
                new Flight()
                        .add(
                                "select path, token, mode, downgraded, name from baton_entry where sid = ?"
                                        + " order by path, token limit " + MOST_REMOVED + " for update skip locked",
                                session)
                        .add("select count(*) from baton_entry where sid = ?", session),
                false);
        List<Leaving> leaving = answers.get(0).rows().stream()
                .map(row -> Leaving.of(row.text(4), row))
                .toList();
        boolean last = leaving.size() == answers.get(1).first().number(0);
        if (leaving.isEmpty() && !last) {
            throw new BusyException(Integer.MAX_VALUE);
        }
        Flight flight = last ? new Flight() : unlessLast;
        LineChanges.lock(flight, leaving);
        leaving.forEach(entry -> flight.add(Sql.DELETE_ENTRY, entry.name()));
        lines.changed(flight, leaving);
        if (last) {
            flight.add("delete from baton_session where sid = ?", session);
        }
        database.execute(connection, flight, true);
        return last;
    }
}
