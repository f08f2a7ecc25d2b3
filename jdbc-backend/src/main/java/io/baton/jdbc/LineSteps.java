package io.baton.jdbc;

import io.baton.jdbc.Flight.Answer;
import io.baton.jdbc.Flight.Row;
import io.baton.spi.Claim;
import io.baton.spi.Entry;
import io.baton.spi.Line;
import io.baton.spi.Peer;
import io.baton.spi.kernel.StepWire.Availability;
import io.baton.spi.kernel.StepWire.Departure;
import io.baton.spi.kernel.StepWire.Joining;
import io.baton.spi.kernel.StepWire.Stepped;
import io.baton.spi.support.Downgrades;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Steps in lines. */
final class LineSteps {

    private static final Logger log = LoggerFactory.getLogger(LineSteps.class);

    private static final int MOST_SWEPT = 100;

    private final SessionDatabase database;
    private final SqlDialect dialect;
    private final Sql sql;
    private final String sid;
    private final LineChanges lines;

    LineSteps(SessionDatabase database, LineChanges lines) {
        this.database = database;
        dialect = database.dialect();
        sql = database.sql();
        sid = database.sid();
        this.lines = lines;
    }

    /**
     * Removes entries, and then adds one, in one flight. An entry that a transaction of a program keeps is skipped, and
     * its line is not waited for before that is known.
     */
    Stepped step(Connection connection, long epoch, List<Departure> leaving, Optional<Joining> joining)
            throws SQLException, OtherEpochException {
        List<Leaving> gone = leaving.stream()
                .map(each -> new Leaving(
                        each.name(),
                        Sql.key(each.line()),
                        each.token(),
                        each.claim().mode() == Claim.Mode.EXCLUSIVE))
                .sorted(Comparator.comparing(Leaving::path, LineChanges.ORDER))
                .toList();
        Flight flight = new Flight().add(joining.isPresent() ? sql.renew : sql.keepSession, sid, epoch);
        gone.forEach(entry -> flight.add(Sql.LOCK_ENTRY, entry.name(), sid));
        gone.forEach(entry -> flight.add(Sql.TOUCH_LINE_OF, entry.name(), sid));
        gone.forEach(entry -> flight.add(Sql.DELETE_FREE_ENTRY, entry.name(), sid, sid, epoch));
        int busy = flight.size();
        gone.forEach(entry -> flight.add(Sql.STANDS, entry.name(), sid));
        int join = flight.size();
        joining.ifPresent(joined -> join(flight, epoch, joined));
        lines.changed(flight, gone);
        List<Answer> answers = database.execute(connection, flight, true);
        database.checkRenewed(connection, epoch, answers.get(0));
        if (joining.isPresent()) {
            // The server may have become read-only between the renewal and the insertion.
            SessionDatabase.checkEpoch(answers.get(join + 2).rows().size());
        }
        hintGone(connection, gone);
        return new Stepped(
                answers.subList(busy, join).stream()
                        .flatMap(answer -> answer.rows().stream())
                        .map(row -> row.text(0))
                        .toList(),
                joining.map(joined ->
                        SessionDatabase.standings(answers.get(join + 2)).get(0)));
    }

    /** Has been committed, so an error here is no error of the step, which must not be repeated. */
    private void hintGone(Connection connection, List<Leaving> gone) {
        Optional<SqlDialect.Hint> hint = dialect.hint();
        if (hint.isEmpty() || gone.isEmpty()) {
            return;
        }
        Flight flight = new Flight();
        gone.forEach(entry -> flight.add(hint.get().hide(), entry.name()));
        try {
            List<Answer> ignored = database.execute(connection, flight, true);
        } catch (SQLException missed) {
            log.debug("no hint was given; those that wait look", missed);
        }
    }

    /** Raises the line's number, inserts the entry, and <em>then</em> looks who stands ahead. */
    private Flight join(Flight flight, long epoch, Joining joining) {
        byte[] path = Sql.key(joining.line());
        flight.add(dialect.raiseLine(), path, sid, epoch)
                .add(
                        sql.insertEntry,
                        joining.name(),
                        mode(joining.claim()),
                        joining.claim().permits(),
                        joining.payload(),
                        path,
                        sid,
                        epoch)
                .add(Sql.LOOK.formatted("?"), sid, joining.name());
        // Such locks are counted, and this step may be repeated.
        dialect.hint().ifPresent(hint -> flight.add(hint.hide(), joining.name()).add(hint.show(), joining.name()));
        lines.joined(flight, path);
        return flight;
    }

    /** Returns false if the entry has gone, or was downgraded before. */
    boolean downgrade(Connection connection, long epoch, Departure entry) throws SQLException, OtherEpochException {
        List<Answer> locked = database.execute(
                connection,
                new Flight()
                        .add(sql.keepSession, sid, epoch)
                        .add(Sql.LOCK_ENTRY, entry.name(), sid)
                        .add(Sql.STANDS, entry.name(), sid),
                false);
        SessionDatabase.checkEpoch(locked.get(0).rows().size());
        if (locked.get(1).isEmpty()) {
            if (!locked.get(2).isEmpty()) {
                throw new BusyException(BusyException.FEW_ATTEMPTS);
            }
            connection.rollback();
            return false;
        }
        Leaving own = Leaving.of(entry.name(), locked.get(1).first());
        Flight flight = new Flight();
        LineChanges.lock(flight, List.of(own));
        flight.add("update baton_entry set downgraded = true where name = ?", entry.name());
        lines.changed(flight, List.of(own));
        database.execute(connection, flight, true);
        return own.exclusive();
    }

    Availability isFree(Connection connection, Line line, Claim claim) throws SQLException {
        if (claim.mode() == Claim.Mode.PERMITS) {
            return Availability.FREE;
        }
        String conflict = claim.mode() == Claim.Mode.SHARED ? " and mode = 0 and not downgraded" : "";
        String inTheWay = "select 1 from baton_entry e where " + Sql.OF_LINE + conflict;
        byte[] key = Sql.key(line);
        List<Answer> answers = database.execute(
                connection,
                new Flight().add(inTheWay + " limit 1", key, key).add(inTheWay + sql.notSilent + " limit 1", key, key),
                true);
        if (answers.get(0).isEmpty()) {
            return Availability.FREE;
        }
        return answers.get(1).isEmpty() ? Availability.EXPIRING : Availability.TAKEN;
    }

    List<Peer> peers(Connection connection, Line line) throws SQLException {
        return database
                .read(
                        connection,
                        "select name, token, mode, permits from baton_entry where " + Sql.OF_LINE + " order by token",
                        Sql.key(line),
                        Sql.key(line))
                .stream()
                .map(row -> peer(line, row))
                .toList();
    }

    Optional<Entry> first(Connection connection, Line line) throws SQLException {
        return entry(connection, line, Sql.OF_LINE + " order by token limit 1", Sql.key(line), Sql.key(line));
    }

    Optional<Entry> details(Connection connection, Peer peer) throws SQLException {
        return entry(connection, peer.line(), "path = ? and name = ?", Sql.key(peer.line()), peer.name());
    }

    private Optional<Entry> entry(Connection connection, Line line, String which, Object... values)
            throws SQLException {
        return database
                .read(
                        connection,
                        "select name, token, mode, permits, payload, sid, downgraded from baton_entry where " + which,
                        values)
                .stream()
                .map(row -> entry(line, row))
                .findFirst();
    }

    /** An entry by name, token, mode, permits, payload, sid and whether it was downgraded. */
    static Entry entry(Line line, Row row) {
        return new Entry(
                peer(line, row),
                row.number(1),
                row.flag(6) ? Downgrades.mark(row.bytes(4)) : row.bytes(4),
                row.text(5));
    }

    /**
     * Deletes the rows of some lines that are empty now and were begun more than an hour ago, however short a time they
     * have been empty. Tokens of a new one are larger by far.
     *
     * @param after only lines with larger keys
     * @return the key of the last line, if there may be more
     */
    Optional<byte[]> sweep(Connection connection, byte[] after) throws SQLException {
        String old = Sql.now(dialect) + " - " + 3_600 * Sql.JUMP;
        List<Row> idle = database.execute(
                        connection,
                        new Flight()
                                .add(
                                        "select path, seq from baton_line l where path > ? and seq < " + old
                                                + " and not exists (select 1 from baton_entry e where e.path = l.path)"
                                                + " order by path limit " + MOST_SWEPT + " for update skip locked",
                                        (Object) after),
                        false)
                .get(0)
                .rows();
        Flight flight = new Flight();
        idle.stream()
                .mapToLong(row -> row.number(1))
                .max()
                .ifPresent(largest -> flight.add(sql.insertDeleted).add(Sql.RAISE_DELETED, largest));
        // The lock is held now: looked again in a later statement.
        idle.forEach(row -> flight.add(
                "delete from baton_line where path = ? and not exists (select 1 from baton_entry e where e.path = ?)",
                row.bytes(0),
                row.bytes(0)));
        database.execute(connection, flight.add(sql.tick), true);
        return idle.size() < MOST_SWEPT
                ? Optional.empty()
                : Optional.of(idle.get(MOST_SWEPT - 1).bytes(0));
    }

    private static Peer peer(Line line, Row row) {
        int permits = (int) row.number(3);
        Claim claim = permits > 0 ? Claim.permits(permits) : row.number(2) == 1 ? Claim.SHARED : Claim.EXCLUSIVE;
        return new Peer(line, row.text(0), row.number(1), claim);
    }

    private static int mode(Claim claim) {
        return switch (claim.mode()) {
            case EXCLUSIVE -> 0;
            case SHARED -> 1;
            case PERMITS -> 2;
        };
    }
}
