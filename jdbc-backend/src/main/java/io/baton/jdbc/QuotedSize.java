package io.baton.jdbc;

import java.util.List;

/** How many bytes a statement has, at most, in a message into which MariaDB's driver quotes its values. */
final class QuotedSize {

    /** A number, or what stands around a value. */
    private static final int SMALL = 32;

    private QuotedSize() {}

    static long of(String sql, List<?> values) {
        return sql.length()
                + values.stream().mapToLong(value -> SMALL + size(value)).sum();
    }

    private static long size(Object value) {
        if (value instanceof byte[] bytes) {
            long escaped = 0;
            for (byte each : bytes) {
                escaped += each == '\'' || each == '"' || each == '\\' || each == 0 ? 1 : 0;
            }
            return bytes.length + escaped;
        }
        return value instanceof String text ? 4L * text.length() : 0;
    }
}
