package io.baton.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Statements that are executed in order within the connection's transaction, each with a snapshot of its own. Where the
 * driver can, they travel in one message.
 */
final class Flight {

    private final List<String> statements = new ArrayList<>();
    private final List<List<?>> parameters = new ArrayList<>();

    /** What a statement returned: rows, or how many it changed. */
    record Answer(List<Row> rows, int changed) {

        boolean isEmpty() {
            return rows.isEmpty();
        }

        Row first() {
            return rows.get(0);
        }
    }

    /** A row of an answer; columns count from 0. */
    record Row(List<@Nullable Object> columns) {

        private Object get(int column) {
            return Objects.requireNonNull(columns.get(column));
        }

        long number(int column) {
            return ((Number) get(column)).longValue();
        }

        String text(int column) {
            return get(column).toString();
        }

        byte[] bytes(int column) {
            return (byte[]) get(column);
        }

        boolean isNull(int column) {
            return columns.get(column) == null;
        }

        boolean flag(int column) {
            Object value = get(column);
            return value instanceof Boolean is ? is : ((Number) value).intValue() != 0;
        }
    }

    /** Adds a statement. */
    Flight add(String sql, Object... values) {
        return add(sql, List.of(values));
    }

    /** Adds a statement. */
    Flight add(String sql, List<?> values) {
        statements.add(sql);
        parameters.add(values);
        return this;
    }

    /** Returns the answer to the last statement. */
    static Answer last(List<Answer> answers) {
        return answers.get(answers.size() - 1);
    }

    int size() {
        return statements.size();
    }

    /** Returns how many bytes its largest statement has, at most, when the values are quoted into it; or all of them. */
    long quotedSize(boolean together) {
        long all = 0;
        long largest = 0;
        for (int i = 0; i < statements.size(); i++) {
            long size = QuotedSize.of(statements.get(i), parameters.get(i));
            all += size;
            largest = Math.max(largest, size);
        }
        return together ? all : largest;
    }

    /** Executes the statements in one message, and commits them if told so. */
    List<Answer> together(Connection connection, boolean commit) throws SQLException {
        int size = size();
        if (commit) {
            add("commit");
        }
        List<Answer> answers = new ArrayList<>(statements.size());
        try (PreparedStatement all = connection.prepareStatement(String.join(";\n", statements))) {
            bind(all, parameters.stream().<Object>flatMap(List::stream).toList());
            boolean rows = all.execute();
            while (rows || all.getUpdateCount() >= 0) {
                answers.add(rows ? rows(all) : new Answer(List.of(), all.getUpdateCount()));
                rows = all.getMoreResults();
            }
        }
        return answers.subList(0, size);
    }

    /** Executes one statement after the other, and commits them if told so. */
    List<Answer> oneByOne(Connection connection, boolean commit) throws SQLException {
        List<Answer> answers = new ArrayList<>(statements.size());
        for (int i = 0; i < statements.size(); i++) {
            try (PreparedStatement one = connection.prepareStatement(statements.get(i))) {
                bind(one, parameters.get(i));
                answers.add(one.execute() ? rows(one) : new Answer(List.of(), one.getUpdateCount()));
            }
        }
        if (commit) {
            connection.commit();
        }
        return answers;
    }

    private static void bind(PreparedStatement statement, List<?> values) throws SQLException {
        for (int i = 0; i < values.size(); i++) {
            statement.setObject(i + 1, values.get(i));
        }
    }

    private static Answer rows(PreparedStatement statement) throws SQLException {
        List<Row> rows = new ArrayList<>();
        try (ResultSet set = statement.getResultSet()) {
            int width = set.getMetaData().getColumnCount();
            while (set.next()) {
                List<@Nullable Object> columns = new ArrayList<>(width);
                for (int column = 1; column <= width; column++) {
                    columns.add(set.getObject(column));
                }
                rows.add(new Row(Collections.unmodifiableList(columns)));
            }
        }
        return new Answer(rows, 0);
    }
}
