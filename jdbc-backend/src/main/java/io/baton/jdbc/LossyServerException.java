package io.baton.jdbc;

import java.util.List;
import java.util.stream.Collectors;

/** The server may lose what it has acknowledged, and the store has not been told that it may. Ends any session. */
final class LossyServerException extends UnfitDatabaseException {

    private static final long serialVersionUID = 1;

    /** Says so of these {@link SqlDialect#lossy settings}. */
    LossyServerException(List<Flight.Row> settings) {
        super(why(settings), false);
    }

    /** What is wrong with these settings, and the ways out. */
    static String why(List<Flight.Row> settings) {
        return "a crash of the machine may lose or damage what the server has acknowledged, as " + text(settings)
                + ": change that, or declare the loss by baton.acknowledged=latest-may-be-lost"
                + " (latestMayBeLost() of a JdbcStore)";
    }

    /** The settings and their values, for people. */
    static String text(List<Flight.Row> settings) {
        return settings.stream().map(row -> row.text(0) + " is " + row.text(1)).collect(Collectors.joining(", and "));
    }
}
