package io.baton.jdbc;

import io.baton.Item;
import io.baton.Op;
import io.baton.Position;
import io.baton.RecordKey;
import io.baton.jdbc.Flight.Answer;
import io.baton.jdbc.Flight.Row;
import io.baton.spi.Condition;
import io.baton.spi.Peer;
import io.baton.spi.kernel.StepWire.Changes;
import io.baton.spi.kernel.StepWire.Snapshot;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Steps with records. */
final class RecordSteps {

    private final SessionDatabase database;
    private final SqlDialect dialect;
    private final Sql sql;
    private final String sid;
    private final LineChanges lines;

    RecordSteps(SessionDatabase database, LineChanges lines) {
        this.database = database;
        dialect = database.dialect();
        sql = database.sql();
        sid = database.sid();
        this.lines = lines;
    }

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
        Flight lock = database.durable();
        int start = lock.size();
        lock.add(sql.keepSession, sid, epoch)
                .add("delete from baton_verdict where sid = ? and n <= ?", sid, acknowledged)
                .add("select verdict from baton_verdict where sid = ? and n = ?", sid, n);
        Map<Peer, String> entries =
                new TreeMap<>(Comparator.comparing((Peer peer) -> Sql.key(peer.line()), LineChanges.ORDER)
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
        List<Answer> locked = database.execute(connection, lock, false);
        SessionDatabase.checkEpoch(locked.get(start).rows().size());
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
            throw new BusyException(BusyException.FEW_ATTEMPTS);
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
        int locked = LineChanges.lock(lock, gone);
        for (String tree : trees) {
            lock.add(sql.insertTree, (Object) Sql.utf8(tree))
                    .add("select rev from baton_tree where tree = ? for update", (Object) Sql.utf8(tree));
        }
        // Only a statement behind the locks sees what was committed before.
        Set<RecordKey> read =
                new TreeSet<>(Comparator.comparing(RecordKey::tree).thenComparing(RecordKey::name));
        read.addAll(expected.keySet());
        last.values().stream().filter(Op.Delete.class::isInstance).forEach(op -> read.add(op.key()));
        read.forEach(key -> lock.add(
                "select rev from baton_record where tree = ? and name = ?",
                Sql.utf8(key.tree()),
                Sql.utf8(key.name())));
        List<Answer> answers = database.execute(connection, lock, false);
        Map<String, Long> revisions = new HashMap<>();
        int at = locked;
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
        if (database.pushes()) {
            gone.forEach(entry -> change.add(sql.gonePush, entry.name(), sid));
        }
        gone.forEach(entry -> change.add(Sql.DELETE_ENTRY, entry.name()));
        lines.changed(change, gone);
        database.execute(
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
                flight.add(dialect.putRecord(), Sql.utf8(key.tree()), Sql.utf8(key.name()), value, revision);
            } else {
                flight.add(
                        "delete from baton_record where tree = ? and name = ?",
                        Sql.utf8(key.tree()),
                        Sql.utf8(key.name()));
            }
            flight.add(
                    "insert into baton_change (tree, rev, prev, name, deleted, value) values (?, ?, ?, ?, ?, ?)",
                    Sql.utf8(key.tree()),
                    revision,
                    revisions.getOrDefault(key.tree(), 0L),
                    Sql.utf8(key.name()),
                    op instanceof Op.Delete,
                    value);
            written.add(key.tree());
        });
        for (String tree : written) {
            flight.add("update baton_tree set rev = ? where tree = ?", revision, Sql.utf8(tree))
                    .add(
                            "delete from baton_change where tree = ? and rev <= ?",
                            Sql.utf8(tree),
                            revision - Sql.CHANGES);
            if (database.pushes()) {
                flight.add(sql.treePushes, Sql.utf8(tree), Sql.followed('t', Sql.utf8(tree)));
            }
        }
    }

    Optional<Item> get(Connection connection, RecordKey key) throws SQLException {
        return database
                .read(
                        connection,
                        "select value, rev from baton_record where tree = ? and name = ?",
                        Sql.utf8(key.tree()),
                        Sql.utf8(key.name()))
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
                (Object) Sql.utf8(tree));
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
            return database.read(connection, query, values);
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
                Sql.utf8(tree));
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

    private static RecordKey key(String tree, byte[] name) {
        return new RecordKey(tree, new String(name, StandardCharsets.UTF_8));
    }
}
