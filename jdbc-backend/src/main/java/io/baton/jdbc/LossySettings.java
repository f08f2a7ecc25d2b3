package io.baton.jdbc;

import java.util.List;
import java.util.stream.Collectors;

/** Settings of a server by which it may lose what it has acknowledged, in words. */
final class LossySettings {

    private LossySettings() {}

    /** Why a server with these {@link SqlDialect#lossy settings} is refused, and the ways out. */
    static String why(List<Flight.Row> settings) {
        return "a crash of the machine may lose or damage what the server has acknowledged, as " + text(settings)
                + ": change that, or declare the loss by baton.acknowledged=latest-may-be-lost"
                + " (latestMayBeLost() of a JdbcStore)";
    }

    /** The settings and their values. */
    static String text(List<Flight.Row> settings) {
        return settings.stream().map(row -> row.text(0) + " is " + row.text(1)).collect(Collectors.joining(", and "));
    }
}
