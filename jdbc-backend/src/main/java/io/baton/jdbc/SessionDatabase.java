package io.baton.jdbc;

import io.baton.jdbc.Flight.Answer;
import io.baton.jdbc.Flight.Row;
import io.baton.spi.Line;
import io.baton.spi.kernel.StepWire.Standing;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/**
 * What the steps of one session are made with.
 *
 * @param sid the id of the session
 */
record SessionDatabase(SqlDialect dialect, Sql sql, String sid) {

    /** Whether the server tells others what a step has changed. */
    boolean pushes() {
        return dialect.push("", "").isPresent();
    }

    Flight durable() {
        Flight flight = new Flight();
        dialect.durable().ifPresent(flight::add);
        return flight;
    }

    List<Answer> execute(Connection connection, Flight flight, boolean commit) throws SQLException {
        return dialect.execute(connection, flight, commit);
    }

    List<Row> read(Connection connection, String query, Object... values) throws SQLException {
        return execute(connection, new Flight().add(query, values), true).get(0).rows();
    }

    /**
     * Drivers of MariaDB and MySQL may be told to count changed rows only. A renewal in the same millisecond as the one
     * before changes nothing, so what counts none is looked at. An epoch that has passed does not come back. A server that
     * has become a replica renews nothing either.
     */
    void checkRenewed(Connection connection, long epoch, Answer renewed) throws SQLException, OtherEpochException {
        if (renewed.changed() == 0 && renewed.isEmpty()) {
            checkEpoch(read(connection, sql.renewable, sid, epoch).size());
        }
    }

    static void checkEpoch(int rows) throws OtherEpochException {
        if (rows == 0) {
            throw new OtherEpochException();
        }
    }

    static List<Standing> standings(Answer answer) {
        return answer.rows().stream()
                .map(row -> new Standing(
                        Line.of(new String(row.bytes(4), StandardCharsets.UTF_8)),
                        row.text(0),
                        row.number(1),
                        row.flag(2),
                        row.flag(3)))
                .toList();
    }

    static Duration quiet(Answer answer) {
        return Duration.ofMillis(answer.first().number(0));
    }

    static List<String> sessions(Answer overdue) {
        return overdue.rows().stream().map(row -> row.text(0)).toList();
    }
}
