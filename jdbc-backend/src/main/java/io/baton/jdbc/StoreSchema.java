package io.baton.jdbc;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Objects;

/** The tables: created unless they are there, or only verified. */
enum StoreSchema {
    CREATE,
    VERIFY;

    /** The version of the tables that this release writes and reads. */
    private static final long VERSION = 1;

    /** Refuses tables of another version, and creates missing ones. */
    void check(Connection connection, SqlDialect dialect) throws SQLException, UnfitDatabaseException {
        try {
            verify(connection, dialect);
        } catch (SQLException refused) {
            if (dialect.isMissingPlace(refused)) {
                throw new UnfitDatabaseException(
                        "there is no place for Baton's tables (" + refused.getMessage()
                                + "): name a database, or a schema, that exists",
                        false);
            }
            throw refused;
        }
    }

    private void verify(Connection connection, SqlDialect dialect) throws SQLException, UnfitDatabaseException {
        long version = version(connection, dialect);
        if (version == 0) {
            if (this == VERIFY) {
                throw new UnfitDatabaseException("Baton's tables are missing: " + advice(dialect), false);
            }
            create(connection, dialect);
            version = version(connection, dialect);
        }
        checkVersion(version);
    }

    /** Refuses tables of another version than this release reads. */
    static void checkVersion(long version) throws UnfitDatabaseException {
        if (version != VERSION) {
            throw new UnfitDatabaseException(
                    "the tables are of version " + version + ", and this release of Baton needs " + VERSION
                            + (version > VERSION ? ": use a newer release" : ""),
                    false);
        }
    }

    /** Returns 0 if there are no tables. */
    static long version(Connection connection, SqlDialect dialect) throws SQLException {
        try {
            List<Flight.Row> rows = dialect.execute(
                            connection, new Flight().add("select schema_version from baton_store where id = 1"), true)
                    .get(0)
                    .rows();
            return rows.isEmpty() ? 0 : rows.get(0).number(0);
        } catch (SQLException missing) {
            connection.rollback();
            if ("42P01".equals(missing.getSQLState()) || "42S02".equals(missing.getSQLState())) {
                return 0;
            }
            throw missing;
        }
    }

    /** One client at a time: two that create the same table at once may fail. */
    private static void create(Connection connection, SqlDialect dialect) throws SQLException, UnfitDatabaseException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(dialect.lockSchema());
            for (String each : script(dialect).strip().split(";\n", -1)) {
                statement.execute(each);
            }
            connection.commit();
            statement.execute(dialect.unlockSchema());
            connection.commit();
        } catch (SQLException refused) {
            connection.rollback();
            if (dialect.isMissingRight(refused)) {
                throw new UnfitDatabaseException(
                        "Baton's tables are missing, and this user may not create them (" + refused.getMessage() + "): "
                                + advice(dialect),
                        false);
            }
            throw refused;
        }
    }

    static String advice(SqlDialect dialect) {
        return "run the script io/baton/jdbc/" + dialect.script() + " of baton-jdbc's jar once";
    }

    static String script(SqlDialect dialect) {
        try (InputStream in = Objects.requireNonNull(StoreSchema.class.getResourceAsStream(dialect.script()))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }
}
