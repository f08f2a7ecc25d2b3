package io.baton.fence.jdbc;

import java.util.regex.Pattern;

/** Names of tables and columns, which become part of a statement. */
final class Identifiers {

    private static final String PART = "(?:[\\p{L}_][\\p{L}\\p{N}_$]*|\"[^\"]+\"|`[^`]+`)";
    private static final Pattern COLUMN = Pattern.compile(PART);
    private static final Pattern TABLE = Pattern.compile(PART + "(?:\\." + PART + ")*");

    private Identifiers() {}

    static String table(String name) {
        return check(TABLE, name);
    }

    static String column(String name) {
        return check(COLUMN, name);
    }

    private static String check(Pattern pattern, String name) {
        if (!pattern.matcher(name).matches()) {
            throw new IllegalArgumentException("'" + name + "' is no name; quote it as the database asks for");
        }
        return name;
    }
}
