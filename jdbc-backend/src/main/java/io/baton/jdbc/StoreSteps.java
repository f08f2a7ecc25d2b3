package io.baton.jdbc;

import io.baton.Item;
import io.baton.Op;
import io.baton.Position;
import io.baton.RecordKey;
import io.baton.jdbc.Flight.Answer;
import io.baton.jdbc.Flight.Row;
import io.baton.spi.Claim;
import io.baton.spi.Condition;
import io.baton.spi.Entry;
import io.baton.spi.Line;
import io.baton.spi.Peer;
import io.baton.spi.kernel.StepWire.Attached;
import io.baton.spi.kernel.StepWire.Availability;
import io.baton.spi.kernel.StepWire.Beaten;
import io.baton.spi.kernel.StepWire.Changes;
import io.baton.spi.kernel.StepWire.Departure;
import io.baton.spi.kernel.StepWire.Joining;
import io.baton.spi.kernel.StepWire.Snapshot;
import io.baton.spi.kernel.StepWire.Standing;
import io.baton.spi.kernel.StepWire.Stepped;
import io.baton.spi.kernel.StepWire.Topic;
import io.baton.spi.support.Downgrades;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The steps of one session in its database, each one transaction. Rows are locked in this order, which spares most
 * deadlocks: session, entries, lines, trees, and the store's clock last.
 *
 * <p>A line's row is locked by each step that changes the line, up to its commit. So the order of tokens is the order of
 * commits, and of two that leave at once the later one sees who is first then. Only a statement <em>after</em> the one
 * that got the lock sees what was committed before, as each has a snapshot of its own.
 */
final class StoreSteps {

    private static final Logger log = LoggerFactory.getLogger(StoreSteps.class);

    private static final Comparator<byte[]> BYTES = Arrays::compareUnsigned;
    private static final int MOST_SWEPT = 100;

    /** Of a step that others wait behind: a transaction of a program may last for hours. */
    private static final int FEW_ATTEMPTS = 10;

    /** Entries in one transaction that ends a session: beats wait for it. */
    private static final int MOST_REMOVED = 64;

    /** The epoch of a session that has been ended in part, and does not come back. */
    private static final long ENDED = Long.MAX_VALUE;

    private static final long HISTORIES = 1_000_000_000_000_000L;

    private final SqlDialect dialect;
    private final Sql sql;
    private final String sid;
    private final long ttl;
    private final String client;
    private volatile boolean raisesAll;

    StoreSteps(SqlDialect dialect, String sid, Duration ttl, String client) {
        this.dialect = dialect;
        this.sql = new Sql(dialect);
        this.sid = sid;
        this.ttl = ttl.toMillis();
        this.client = client;
    }

    /** The session is not in the epoch of the step: it has ended, or another attach has come. */
    static final class OtherEpochException extends Exception {
        private static final long serialVersionUID = 1;
    }

    /** A row is locked, probably by a transaction of a user: nothing was applied, and the step may be repeated. */
    static final class BusyException extends SQLException {
        private static final long serialVersionUID = 1;

        /** How often the step is to be made before it is refused. */
        final int attempts;

        BusyException(int attempts) {
            super("a transaction of a program keeps an entry");
            this.attempts = attempts;
        }
    }

    /** What a removed or downgraded entry was. */
    private record Leaving(String name, byte[] path, long token, boolean exclusive) {
        static Leaving of(String name, Row row) {
            return new Leaving(name, row.bytes(0), row.number(1), row.number(2) == 0 && !row.flag(3));
        }
    }

    // ---- the session

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
     */
    Optional<Begun> attach(Connection connection, String history, boolean first, long epoch, long acknowledged)
            throws SQLException {
        Flight begin = durable();
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
        List<Answer> begun = execute(connection, begin, false);
        if (last(begun).isEmpty() || last(begun).first().number(0) == ENDED) {
            connection.rollback();
            return Optional.empty();
        }
        List<Answer> answers = execute(
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
        Map<Long, Boolean> verdicts = new HashMap<>();
        answers.get(4).rows().forEach(row -> verdicts.put(row.number(0), row.flag(1)));
        return Optional.of(new Begun(
                new Attached(standings(answers.get(5)), verdicts, history, quiet(answers.get(6))),
                sessions(answers.get(7))));
    }

    /**
     * Looks whether the server is the one that has all steps since the last look: its marker is lost by a crash and by a
     * promotion. If not, raises what the lost steps may have raised, and begins the quiet time. Returns the history.
     */
    String incarnate(Connection connection) throws SQLException {
        String same = "select s.history, s.generation from baton_store s where s.id = 1 and " + sql.marked;
        Answer known = last(execute(connection, new Flight().add(same), true));
        if (known.isEmpty()) {
            Flight lock = durable().add("select 1 from baton_store where id = 1 for update");
            known = last(execute(connection, lock.add(same), false));
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
            Answer known = last(execute(connection, begin.add(same), false));
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
        return !read(connection, "select 1 from baton_session where sid = ? and epoch <> ?", sid, ENDED)
                .isEmpty();
    }

    /**
     * What a beat has seen.
     *
     * @param answer for the session
     * @param overdue other sessions that seem to be overdue
     * @param listens false if the connection is not the one that was prepared
     */
    record Beat(Beaten answer, List<String> overdue, boolean listens) {}

    /** Renews the session and looks, in one transaction that waits for no lock of a line. */
    Beat beat(Connection connection, long epoch, List<String> looked, List<Topic> topics)
            throws SQLException, OtherEpochException {
        Flight flight = new Flight().add(sql.renew, sid, epoch).add(sql.quiet).add(sql.tick);
        int overdue = flight.size();
        flight.add(sql.overdue);
        dialect.listens().ifPresent(query -> flight.add(query, sid, sid));
        int seen = flight.size();
        look(flight, looked);
        topics.forEach(topic -> version(flight, topic));
        List<Answer> answers = execute(connection, flight, true);
        checkRenewed(connection, epoch, answers.get(0));
        return new Beat(
                beaten(answers.subList(seen, answers.size()), looked, topics, quiet(answers.get(1))),
                sessions(answers.get(overdue)),
                seen == overdue + 1 || answers.get(overdue + 1).first().flag(0));
    }

    /**
     * What a look has seen.
     *
     * @param seen as a beat sees it
     * @param hinted whether the owner of the entry ahead had hinted that it has gone
     * @param ahead the entry that the foremost of those that wait waits for, if its owner may give a hint
     */
    record Looked(Beaten seen, boolean hinted, Optional<String> ahead) {}

    /**
     * As a beat, but renews nothing.
     *
     * @param awaited the entry whose owner's hint is awaited before that, for so long at most
     */
    Looked look(
            Connection connection,
            List<String> looked,
            List<Topic> topics,
            Optional<String> foremost,
            Optional<String> awaited,
            Duration most)
            throws SQLException {
        Flight flight = new Flight();
        Optional<SqlDialect.Hint> hint = dialect.hint();
        hint.ifPresent(how -> awaited.ifPresent(entry ->
                flight.add(how.await(), entry, most.toMillis() / 1_000.0).add(how.hide(), entry)));
        int look = flight.size();
        look(flight, looked);
        topics.forEach(topic -> version(flight, topic));
        Optional<String> asked = hint.flatMap(how -> foremost);
        asked.ifPresent(name -> flight.add(Sql.NEAREST_AHEAD, name));
        List<Answer> answers = execute(connection, flight, true);
        boolean hinted = look > 0
                && !answers.get(0).first().isNull(0)
                && answers.get(0).first().flag(0);
        return new Looked(
                beaten(answers.subList(look, answers.size()), looked, topics, Duration.ZERO),
                hinted,
                asked.flatMap(name ->
                        last(answers).rows().stream().map(row -> row.text(0)).findFirst()));
    }

    private void look(Flight flight, List<String> looked) {
        if (!looked.isEmpty()) {
            List<Object> values = new ArrayList<>(List.of(sid));
            values.addAll(looked);
            flight.add(Sql.LOOK.formatted(Sql.marks(looked.size())), values);
        }
    }

    private static Beaten beaten(List<Answer> answers, List<String> looked, List<Topic> topics, Duration quiet) {
        int next = looked.isEmpty() ? 0 : 1;
        List<Standing> own = looked.isEmpty() ? List.of() : standings(answers.get(0));
        Map<Topic, Long> versions = new HashMap<>();
        for (Topic topic : topics) {
            versions.put(topic, answers.get(next++).first().number(0));
        }
        return new Beaten(own, versions, quiet);
    }

    /** Moves the store's clock on, as each beat does. Returns sessions that seem to be overdue. */
    List<String> keepClock(Connection connection) throws SQLException {
        return sessions(execute(connection, new Flight().add(sql.tick).add(sql.overdue), true)
                .get(1));
    }

    private static List<String> sessions(Answer overdue) {
        return overdue.rows().stream().map(row -> row.text(0)).toList();
    }

    /**
     * Ends a part of a session if it is overdue, and nobody else works on it. Its own beats and steps find nothing any more
     * once the first part is committed.
     *
     * @return whether nothing is left to do here
     * @throws BusyException if only entries are left that transactions of programs keep
     */
    boolean expire(Connection connection, String overdue) throws SQLException {
        if (execute(connection, new Flight().add(sql.lockOverdue, overdue), false)
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
        if (execute(connection, new Flight().add("select 1 from baton_session where sid = ? for update", sid), false)
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
        List<Answer> answers = execute(
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
        touch(flight, leaving);
        leaving.forEach(entry -> flight.add(Sql.DELETE_ENTRY, entry.name()));
        notify(flight, leaving);
        if (last) {
            flight.add("delete from baton_session where sid = ?", session);
        }
        execute(connection, flight, true);
        return last;
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
        List<Row> idle = execute(
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
        execute(connection, flight.add(sql.tick), true);
        return idle.size() < MOST_SWEPT
                ? Optional.empty()
                : Optional.of(idle.get(MOST_SWEPT - 1).bytes(0));
    }

    // ---- lines

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
                .sorted(Comparator.comparing(Leaving::path, BYTES))
                .toList();
        Flight flight = new Flight().add(joining.isPresent() ? sql.renew : sql.keepSession, sid, epoch);
        gone.forEach(entry -> flight.add(Sql.LOCK_ENTRY, entry.name(), sid));
        gone.forEach(entry -> flight.add(Sql.TOUCH_LINE_OF, entry.name(), sid));
        gone.forEach(entry -> flight.add(Sql.DELETE_FREE_ENTRY, entry.name(), sid, sid, epoch));
        int busy = flight.size();
        gone.forEach(entry -> flight.add(Sql.STANDS, entry.name(), sid));
        int join = flight.size();
        joining.ifPresent(joined -> join(flight, epoch, joined));
        notify(flight, gone);
        List<Answer> answers = execute(connection, flight, true);
        checkRenewed(connection, epoch, answers.get(0));
        hintGone(connection, gone);
        return new Stepped(
                answers.subList(busy, join).stream()
                        .flatMap(answer -> answer.rows().stream())
                        .map(row -> row.text(0))
                        .toList(),
                joining.map(joined -> standings(answers.get(join + 2)).get(0)));
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
            List<Answer> ignored = execute(connection, flight, true);
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
        pushTo(flight, path, Optional.empty());
        return flight;
    }

    /** Returns false if the entry has gone, or was downgraded before. */
    boolean downgrade(Connection connection, long epoch, Departure entry) throws SQLException, OtherEpochException {
        List<Answer> locked = execute(
                connection,
                new Flight()
                        .add(sql.keepSession, sid, epoch)
                        .add(Sql.LOCK_ENTRY, entry.name(), sid)
                        .add(Sql.STANDS, entry.name(), sid),
                false);
        checkEpoch(locked.get(0).rows().size());
        if (locked.get(1).isEmpty()) {
            if (!locked.get(2).isEmpty()) {
                throw new BusyException(FEW_ATTEMPTS);
            }
            connection.rollback();
            return false;
        }
        Leaving own = Leaving.of(entry.name(), locked.get(1).first());
        Flight flight = new Flight();
        touch(flight, List.of(own));
        flight.add("update baton_entry set downgraded = true where name = ?", entry.name());
        notify(flight, List.of(own));
        execute(connection, flight, true);
        return own.exclusive();
    }

    /** Locks the lines of these entries. Returns how many statements that takes. */
    private static int touch(Flight flight, List<Leaving> entries) {
        Set<byte[]> paths = new TreeSet<>(BYTES);
        entries.forEach(entry -> paths.add(entry.path()));
        paths.forEach(path -> flight.add(Sql.TOUCH_LINE, path));
        return paths.size();
    }

    /** Notifies those that have become clear as these entries have gone, and those that follow their lines. */
    private void notify(Flight flight, List<Leaving> gone) {
        Map<byte[], List<Leaving>> lines = new TreeMap<>(BYTES);
        gone.forEach(entry ->
                lines.computeIfAbsent(entry.path(), path -> new ArrayList<>()).add(entry));
        lines.forEach((path, entries) -> {
            long from = entries.stream().mapToLong(Leaving::token).min().orElseThrow();
            boolean exclusive = entries.stream().anyMatch(Leaving::exclusive);
            if (pushes()) {
                flight.add(sql.clearedPushes, path, from, path, path, exclusive);
            }
            pushTo(flight, path, Optional.of(from));
        });
    }

    /** Notifies followers of a line; of its head only if it may have changed: from this token on, or by the last join. */
    private void pushTo(Flight flight, byte[] path, Optional<Long> from) {
        if (pushes()) {
            String last = "(select seq from baton_line where path = ?)";
            flight.add(sql.entriesPushes, path, path, path, what('e', path));
            if (from.isPresent()) {
                flight.add(sql.headPushes + "?", path, path, path, what('h', path), path, path, from.get());
            } else {
                flight.add(sql.headPushes + last, path, path, path, what('h', path), path, path, path);
            }
        }
    }

    private boolean pushes() {
        return dialect.push("", "").isPresent();
    }

    Availability isFree(Connection connection, Line line, Claim claim) throws SQLException {
        if (claim.mode() == Claim.Mode.PERMITS) {
            return Availability.FREE;
        }
        String conflict = claim.mode() == Claim.Mode.SHARED ? " and mode = 0 and not downgraded" : "";
        String inTheWay = "select 1 from baton_entry e where " + Sql.OF_LINE + conflict;
        byte[] key = Sql.key(line);
        List<Answer> answers = execute(
                connection,
                new Flight().add(inTheWay + " limit 1", key, key).add(inTheWay + sql.notSilent + " limit 1", key, key),
                true);
        if (answers.get(0).isEmpty()) {
            return Availability.FREE;
        }
        return answers.get(1).isEmpty() ? Availability.EXPIRING : Availability.TAKEN;
    }

    List<Peer> peers(Connection connection, Line line) throws SQLException {
        return read(
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
        return read(
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

    // ---- records

    /**
     * Applies a transaction, unless it was before. A verdict of false needs no record: a repeated transaction is judged
     * anew.
     */
    boolean transact(
            Connection connection,
            long epoch,
            long n,
            long acknowledged,
            List<Condition> conditions,
            List<Op> ops,
            List<Peer> removed)
            throws SQLException, OtherEpochException {
        Flight lock = durable();
        int start = lock.size();
        lock.add(sql.keepSession, sid, epoch)
                .add("delete from baton_verdict where sid = ? and n <= ?", sid, acknowledged)
                .add("select verdict from baton_verdict where sid = ? and n = ?", sid, n);
        Map<Peer, String> entries = new TreeMap<>(Comparator.comparing((Peer peer) -> Sql.key(peer.line()), BYTES)
                .thenComparing(Peer::order)
                .thenComparing(Peer::name));
        conditions.stream()
                .filter(Condition.Stands.class::isInstance)
                .forEach(each -> entries.put(((Condition.Stands) each).peer(), dialect.share()));
        removed.forEach(peer -> entries.put(peer, " for update skip locked"));
        entries.forEach((peer, mode) -> lock.add(
                "select path, token, mode, downgraded from baton_entry where name = ? and path = ?" + mode,
                peer.name(),
                Sql.key(peer.line())));
        entries.keySet()
                .forEach(peer -> lock.add(
                        "select name from baton_entry where name = ? and path = ?", peer.name(), Sql.key(peer.line())));
        List<Answer> locked = execute(connection, lock, false);
        checkEpoch(locked.get(start).rows().size());
        if (!locked.get(start + 2).isEmpty()) {
            connection.rollback();
            return locked.get(start + 2).first().flag(0);
        }
        List<Answer> found = locked.subList(start + 3, start + 3 + entries.size());
        List<Answer> standing = locked.subList(start + 3 + entries.size(), locked.size());
        if (standing.stream().anyMatch(Answer::isEmpty)) {
            connection.rollback();
            return false;
        }
        if (found.stream().anyMatch(Answer::isEmpty)) {
            throw new BusyException(FEW_ATTEMPTS);
        }
        List<Leaving> gone = new ArrayList<>();
        int at = 0;
        for (Peer peer : entries.keySet()) {
            Row row = found.get(at++).first();
            if (removed.contains(peer)) {
                gone.add(Leaving.of(peer.name(), row));
            }
        }
        return records(connection, n, conditions, ops, gone);
    }

    private boolean records(Connection connection, long n, List<Condition> conditions, List<Op> ops, List<Leaving> gone)
            throws SQLException {
        Map<RecordKey, Optional<Long>> expected = new LinkedHashMap<>();
        boolean contradiction = false;
        for (Condition condition : conditions) {
            if (condition instanceof Condition.Unchanged unchanged) {
                Optional<Long> revision = Optional.of(unchanged.revision().order());
                contradiction |= !revision.equals(expected.getOrDefault(unchanged.key(), revision));
                expected.put(unchanged.key(), revision);
            } else if (condition instanceof Condition.Absent absent) {
                contradiction |=
                        expected.getOrDefault(absent.key(), Optional.empty()).isPresent();
                expected.put(absent.key(), Optional.empty());
            }
        }
        Map<RecordKey, Op> last = new LinkedHashMap<>();
        ops.forEach(op -> last.put(op.key(), op));
        Set<String> trees = new TreeSet<>();
        expected.keySet().forEach(key -> trees.add(key.tree()));
        last.keySet().forEach(key -> trees.add(key.tree()));

        Flight lock = new Flight();
        int lines = touch(lock, gone);
        for (String tree : trees) {
            lock.add(sql.insertTree, (Object) utf8(tree))
                    .add("select rev from baton_tree where tree = ? for update", (Object) utf8(tree));
        }
        // Only a statement behind the locks sees what was committed before.
        Set<RecordKey> read =
                new TreeSet<>(Comparator.comparing(RecordKey::tree).thenComparing(RecordKey::name));
        read.addAll(expected.keySet());
        last.values().stream().filter(Op.Delete.class::isInstance).forEach(op -> read.add(op.key()));
        read.forEach(key -> lock.add(
                "select rev from baton_record where tree = ? and name = ?", utf8(key.tree()), utf8(key.name())));
        List<Answer> answers = execute(connection, lock, false);
        Map<String, Long> revisions = new HashMap<>();
        int at = lines;
        for (String tree : trees) {
            revisions.put(tree, answers.get(at + 1).first().number(0));
            at += 2;
        }
        Map<RecordKey, Optional<Long>> present = new HashMap<>();
        for (RecordKey key : read) {
            present.put(
                    key,
                    answers.get(at++).rows().stream().map(row -> row.number(0)).findFirst());
        }
        if (contradiction
                || expected.entrySet().stream()
                        .anyMatch(each -> !each.getValue().equals(present.get(each.getKey())))) {
            connection.rollback();
            return false;
        }
        last.values()
                .removeIf(op -> op instanceof Op.Delete
                        && present.getOrDefault(op.key(), Optional.empty()).isEmpty());

        Flight change = new Flight();
        write(change, last, revisions);
        if (pushes()) {
            gone.forEach(entry -> change.add(sql.gonePush, entry.name(), sid));
        }
        gone.forEach(entry -> change.add(Sql.DELETE_ENTRY, entry.name()));
        notify(change, gone);
        execute(
                connection,
                change.add("insert into baton_verdict (sid, n, verdict) values (?, ?, ?)", sid, n, true),
                true);
        return true;
    }

    /**
     * Writes to all trees with one revision. It is larger than those of all trees that the transaction wrote or compared,
     * so revisions of different trees can be compared where one depends on the other.
     */
    private void write(Flight flight, Map<RecordKey, Op> ops, Map<String, Long> revisions) {
        Set<String> written = new TreeSet<>();
        long revision =
                revisions.values().stream().mapToLong(each -> each).max().orElse(0) + 1;
        ops.forEach((key, op) -> {
            byte[] value = op instanceof Op.Put put ? put.value() : new byte[0];
            if (op instanceof Op.Put) {
                flight.add(dialect.putRecord(), utf8(key.tree()), utf8(key.name()), value, revision);
            } else {
                flight.add("delete from baton_record where tree = ? and name = ?", utf8(key.tree()), utf8(key.name()));
            }
            flight.add(
                    "insert into baton_change (tree, rev, prev, name, deleted, value) values (?, ?, ?, ?, ?, ?)",
                    utf8(key.tree()),
                    revision,
                    revisions.getOrDefault(key.tree(), 0L),
                    utf8(key.name()),
                    op instanceof Op.Delete,
                    value);
            written.add(key.tree());
        });
        for (String tree : written) {
            flight.add("update baton_tree set rev = ? where tree = ?", revision, utf8(tree))
                    .add("delete from baton_change where tree = ? and rev <= ?", utf8(tree), revision - Sql.CHANGES);
            if (pushes()) {
                flight.add(sql.treePushes, utf8(tree), what('t', utf8(tree)));
            }
        }
    }

    Optional<Item> get(Connection connection, RecordKey key) throws SQLException {
        return read(
                        connection,
                        "select value, rev from baton_record where tree = ? and name = ?",
                        utf8(key.tree()),
                        utf8(key.name()))
                .stream()
                .map(row -> new Item(key, row.bytes(0), new JdbcRevision(row.number(1))))
                .findFirst();
    }

    Snapshot snapshot(Connection connection, String tree) throws SQLException {
        List<Row> rows = readTree(
                connection,
                tree,
                "select s.history, s.generation, coalesce(t.rev, 0), r.name, r.value, r.rev from baton_store s"
                        + " left join baton_tree t on t.tree = ? left join baton_record r on r.tree = t.tree where s.id = 1",
                (Object) utf8(tree));
        Row first = rows.get(0);
        String history = Long.toHexString(first.number(0)) + "-" + first.number(1);
        List<Item> items = rows.stream()
                .filter(row -> !row.isNull(3))
                .map(row -> new Item(key(tree, row.bytes(3)), row.bytes(4), new JdbcRevision(row.number(5))))
                .toList();
        return new Snapshot(items, new Position(history, first.number(2)));
    }

    /** A tree that takes too long is told as that: it would take as long again, and others wait behind. */
    private List<Row> readTree(Connection connection, String tree, String query, Object... values) throws SQLException {
        try {
            return read(connection, query, values);
        } catch (SQLException error) {
            if (dialect.isOutOfTime(error)) {
                throw new SQLException(
                        "reading '" + tree
                                + "' takes longer than a statement may: keep less in it, or have a longer ttl ("
                                + error.getMessage() + ")",
                        Sql.TOO_MUCH,
                        error);
            }
            throw error;
        }
    }

    Optional<Changes> changesSince(Connection connection, String tree, long revision) throws SQLException {
        List<Row> rows = readTree(
                connection,
                tree,
                "select t.rev, c.rev, c.name, c.deleted, c.value, c.prev from baton_tree t left join baton_change c"
                        + " on c.tree = t.tree and c.rev > ? where t.tree = ? order by c.rev",
                revision,
                utf8(tree));
        long now = rows.isEmpty() ? 0 : rows.get(0).number(0);
        Map<RecordKey, Optional<Item>> changed = new LinkedHashMap<>();
        long next = revision;
        for (Row row : rows) {
            if (!row.isNull(1)) {
                if (row.number(1) != next && row.number(5) != next) {
                    return Optional.empty();
                }
                next = row.number(1);
                RecordKey key = key(tree, row.bytes(2));
                changed.put(
                        key,
                        row.flag(3)
                                ? Optional.empty()
                                : Optional.of(new Item(key, row.bytes(4), new JdbcRevision(next))));
            }
        }
        if (next != now) {
            return Optional.empty();
        }
        List<Item> put = changed.values().stream().flatMap(Optional::stream).toList();
        List<RecordKey> deleted = changed.keySet().stream()
                .filter(key -> changed.getOrDefault(key, Optional.empty()).isEmpty())
                .toList();
        return Optional.of(new Changes(put, deleted, now));
    }

    // ---- topics

    /** Inserts a follower while the topic cannot change, and then returns its version. */
    long follow(Connection connection, long epoch, Topic topic, int id) throws SQLException, OtherEpochException {
        Flight flight = new Flight();
        if (pushes()) {
            flight.add(sql.keepSession, sid, epoch);
            if (topic instanceof Topic.Tree tree) {
                flight.add(sql.insertTree, (Object) utf8(tree.tree()))
                        .add("select 1 from baton_tree where tree = ? for update", (Object) utf8(tree.tree()));
            } else {
                flight.add(sql.insertLine, (Object) Sql.key(line(topic)))
                        .add("select 1 from baton_line where path = ? for update", (Object) Sql.key(line(topic)));
            }
            flight.add(
                    "insert into baton_follower (what, id, sid) select ?, ?, sid from baton_session"
                            + " where sid = ? and epoch = ? on conflict (what, sid) do update set id = excluded.id",
                    what(topic),
                    id,
                    sid,
                    epoch);
        }
        version(flight, topic);
        List<Answer> answers = execute(connection, flight, true);
        if (pushes()) {
            checkEpoch(answers.get(0).rows().size());
        }
        return last(answers).first().number(0);
    }

    void unfollow(Connection connection, Topic topic, int id) throws SQLException {
        if (pushes()) {
            execute(
                    connection,
                    new Flight()
                            .add(
                                    "delete from baton_follower where what = ? and sid = ? and id = ?",
                                    what(topic),
                                    sid,
                                    id),
                    true);
        }
    }

    private static void version(Flight flight, Topic topic) {
        if (topic instanceof Topic.Tree tree) {
            flight.add(Sql.TREE_VERSION, (Object) utf8(tree.tree()));
        } else {
            byte[] path = Sql.key(line(topic));
            flight.add(topic instanceof Topic.Head ? Sql.HEAD_VERSION : Sql.ENTRIES_VERSION, path, path, path);
        }
    }

    private static Line line(Topic topic) {
        return topic instanceof Topic.Head head ? head.line() : ((Topic.Entries) topic).line();
    }

    private static byte[] what(Topic topic) {
        if (topic instanceof Topic.Tree tree) {
            return what('t', utf8(tree.tree()));
        }
        return what(topic instanceof Topic.Head ? 'h' : 'e', Sql.key(line(topic)));
    }

    private static byte[] what(char kind, byte[] key) {
        byte[] what = new byte[key.length + 1];
        what[0] = (byte) kind;
        System.arraycopy(key, 0, what, 1, key.length);
        return what;
    }

    // ---- parts

    private Flight durable() {
        Flight flight = new Flight();
        dialect.durable().ifPresent(flight::add);
        return flight;
    }

    private List<Answer> execute(Connection connection, Flight flight, boolean commit) throws SQLException {
        return dialect.execute(connection, flight, commit);
    }

    private List<Row> read(Connection connection, String query, Object... values) throws SQLException {
        return execute(connection, new Flight().add(query, values), true).get(0).rows();
    }

    /**
     * Drivers of MariaDB and MySQL may be told to count changed rows only. A renewal in the same millisecond as the one
     * before changes nothing, so what counts none is looked at. An epoch that has passed does not come back.
     */
    private void checkRenewed(Connection connection, long epoch, Answer renewed)
            throws SQLException, OtherEpochException {
        if (renewed.changed() == 0 && renewed.isEmpty()) {
            checkEpoch(read(connection, "select 1 from baton_session where sid = ? and epoch = ?", sid, epoch)
                    .size());
        }
    }

    private static void checkEpoch(int rows) throws OtherEpochException {
        if (rows == 0) {
            throw new OtherEpochException();
        }
    }

    private static Answer last(List<Answer> answers) {
        return answers.get(answers.size() - 1);
    }

    private static List<Standing> standings(Answer answer) {
        return answer.rows().stream()
                .map(row -> new Standing(
                        Line.of(new String(row.bytes(4), StandardCharsets.UTF_8)),
                        row.text(0),
                        row.number(1),
                        row.flag(2),
                        row.flag(3)))
                .toList();
    }

    private static Duration quiet(Answer answer) {
        return Duration.ofMillis(answer.first().number(0));
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

    private static RecordKey key(String tree, byte[] name) {
        return new RecordKey(tree, new String(name, StandardCharsets.UTF_8));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
