package io.baton.jdbc;

import io.baton.jdbc.Flight.Answer;
import io.baton.spi.Line;
import io.baton.spi.kernel.StepWire.Beaten;
import io.baton.spi.kernel.StepWire.Standing;
import io.baton.spi.kernel.StepWire.Topic;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Steps that look at own entries and at what is followed. */
final class LookSteps {

    private final SessionDatabase database;
    private final SqlDialect dialect;
    private final Sql sql;
    private final String sid;

    LookSteps(SessionDatabase database) {
        this.database = database;
        dialect = database.dialect();
        sql = database.sql();
        sid = database.sid();
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
        List<Answer> answers = database.execute(connection, flight, true);
        database.checkRenewed(connection, epoch, answers.get(0));
        return new Beat(
                beaten(answers.subList(seen, answers.size()), looked, topics, SessionDatabase.quiet(answers.get(1))),
                SessionDatabase.sessions(answers.get(overdue)),
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
        List<Answer> answers = database.execute(connection, flight, true);
        boolean hinted = look > 0
                && !answers.get(0).first().isNull(0)
                && answers.get(0).first().flag(0);
        return new Looked(
                beaten(answers.subList(look, answers.size()), looked, topics, Duration.ZERO),
                hinted,
                asked.flatMap(name -> Flight.last(answers).rows().stream()
                        .map(row -> row.text(0))
                        .findFirst()));
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
        List<Standing> own = looked.isEmpty() ? List.of() : SessionDatabase.standings(answers.get(0));
        Map<Topic, Long> versions = new HashMap<>();
        for (Topic topic : topics) {
            versions.put(topic, answers.get(next++).first().number(0));
        }
        return new Beaten(own, versions, quiet);
    }

    /** Moves the store's clock on, as each beat does. Returns sessions that seem to be overdue. */
    List<String> keepClock(Connection connection) throws SQLException {
        return SessionDatabase.sessions(
                database.execute(connection, new Flight().add(sql.tick).add(sql.overdue), true)
                        .get(1));
    }

    /** Inserts a follower while the topic cannot change, and then returns its version. */
    long follow(Connection connection, long epoch, Topic topic, int id) throws SQLException, OtherEpochException {
        Flight flight = new Flight();
        if (database.pushes()) {
            flight.add(sql.keepSession, sid, epoch);
            if (topic instanceof Topic.Tree tree) {
                flight.add(sql.insertTree, (Object) Sql.utf8(tree.tree()))
                        .add("select 1 from baton_tree where tree = ? for update", (Object) Sql.utf8(tree.tree()));
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
        List<Answer> answers = database.execute(connection, flight, true);
        if (database.pushes()) {
            SessionDatabase.checkEpoch(answers.get(0).rows().size());
        }
        return Flight.last(answers).first().number(0);
    }

    void unfollow(Connection connection, Topic topic, int id) throws SQLException {
        if (database.pushes()) {
            database.execute(
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
            flight.add(Sql.TREE_VERSION, (Object) Sql.utf8(tree.tree()));
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
            return Sql.followed('t', Sql.utf8(tree.tree()));
        }
        return Sql.followed(topic instanceof Topic.Head ? 'h' : 'e', Sql.key(line(topic)));
    }
}
