package io.baton.jdbc;

import io.baton.jdbc.Flight.Row;
import io.baton.spi.Guarantees.Survival;
import io.baton.spi.inspect.ClockReading;
import io.baton.spi.inspect.Finding;
import io.baton.spi.support.DurationText;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Examines a database that can be reached. */
final class DatabaseExamination {

    /** A table, and a column by which a write that changes nothing is tried. */
    private static final Map<String, String> TABLES = new TreeMap<>(Map.of(
            "baton_store", "id",
            "baton_incarnation", "history",
            "baton_session", "sid",
            "baton_verdict", "sid",
            "baton_line", "path",
            "baton_entry", "path",
            "baton_tree", "tree",
            "baton_record", "tree",
            "baton_change", "tree",
            "baton_follower", "sid"));

    private static final Duration OLD = Duration.ofMinutes(5);
    private static final double NEARLY_FULL = 0.8;
    private static final int CONNECTIONS_OF_A_SESSION = 2;
    private static final long FULL_QUEUE = 25;
    private static final long LARGE = 64L << 20;

    private final StoreDatabase.Opened database;
    private final SqlDialect dialect;
    private final OperatorQueries queries;
    private final StoreSchema schema;
    private final Survival acknowledged;
    private final String hosts;
    private final Duration ttl;

    /** An examination for clients of this address, with this ttl. */
    DatabaseExamination(StoreDatabase.Opened database, JdbcAddress address, Duration ttl) {
        this.database = database;
        this.dialect = database.dialect();
        this.queries = dialect.operatorQueries();
        this.schema = address.schema();
        this.acknowledged = address.acknowledged();
        this.hosts = address.hosts();
        this.ttl = ttl;
    }

    /** One part of the examination. */
    private interface Check {
        List<Finding> findings() throws SQLException;
    }

    List<Finding> findings() throws SQLException {
        List<Finding> all = new ArrayList<>(List.of(version()));
        Optional<SqlDialect.Unfit> unfit = dialect.inspect(database.connection());
        if (unfit.isPresent()) {
            all.add(Finding.problem("server", unfit.get().why(), "see 'What is refused' in docs/guide/databases.md"));
        }
        long tables = StoreSchema.version(database.connection(), dialect);
        all.add(tables(tables));
        if (tables > 0 && unfit.isEmpty()) {
            all.add(permissions());
        }
        if (tables > 0) {
            all.addAll(told("incarnation", this::incarnation));
            all.addAll(told("sizes", this::sizes));
        }
        all.addAll(told("connections", () -> connections(tables > 0)));
        all.addAll(told("transactions", this::transactions));
        all.addAll(told("settings", this::settings));
        all.addAll(told("wake-ups", this::wakeUps));
        all.add(timings());
        all.add(clock(database, hosts).finding());
        return all;
    }

    /** What a check finds; unknown if this user may not ask. */
    private List<Finding> told(String what, Check check) throws SQLException {
        try {
            return check.findings();
        } catch (SQLException refused) {
            if (dialect.classify(refused) == SqlDialect.Fault.BROKEN) {
                throw refused;
            }
            database.connection().rollback();
            return List.of(Finding.unknown(what, "the database does not tell: " + JdbcWire.text(refused), ""));
        }
    }

    private List<Row> rows(String query) throws SQLException {
        return database.rows(query, List.of());
    }

    private Finding version() throws SQLException {
        DatabaseMetaData server = database.connection().getMetaData();
        String what = version(database.connection());
        return server.getDatabaseMajorVersion() * 100 + server.getDatabaseMinorVersion() < queries.oldest()
                ? Finding.problem(
                        "version",
                        what + ", which is too old",
                        "take " + dialect.product() + " " + queries.oldest() / 100 + "." + queries.oldest() % 100
                                + " or newer")
                : Finding.ok("version", what);
    }

    /** The product, and its version without what the distributor adds. */
    static String version(Connection connection) throws SQLException {
        DatabaseMetaData server = connection.getMetaData();
        return server.getDatabaseProductName() + " "
                + server.getDatabaseProductVersion().replaceFirst("[ -].*", "");
    }

    private Finding tables(long version) {
        if (version == 0) {
            return schema == StoreSchema.VERIFY
                    ? Finding.problem("tables", "Baton's tables are missing", StoreSchema.advice(dialect))
                    : Finding.ok("tables", "they are missing, and the first client creates them if it may");
        }
        try {
            StoreSchema.checkVersion(version);
            return Finding.ok("tables", "they are of version " + version);
        } catch (UnfitDatabaseException other) {
            return Finding.problem("tables", String.valueOf(other.getMessage()), "");
        }
    }

    /** Tries writes that match no row. */
    private Finding permissions() throws SQLException {
        List<String> refused = new ArrayList<>();
        for (Map.Entry<String, String> each : TABLES.entrySet()) {
            String table = each.getKey();
            String column = each.getValue();
            attempt("select from " + table, "select * from " + table + " where 1 = 0", refused);
            attempt(
                    "insert into " + table,
                    "insert into " + table + " select * from " + table + " where 1 = 0",
                    refused);
            attempt("update " + table, "update " + table + " set " + column + " = " + column + " where 1 = 0", refused);
            attempt("delete from " + table, "delete from " + table + " where 1 = 0", refused);
        }
        return refused.isEmpty()
                ? Finding.ok("permissions", "this client may read and write all tables")
                : Finding.problem(
                        "permissions",
                        "this client may not " + String.join(", nor ", refused),
                        "grant its user select, insert, update and delete on all tables of Baton");
    }

    private void attempt(String what, String statement, List<String> refused) throws SQLException {
        try {
            List<Flight.Answer> ignored = dialect.execute(database.connection(), new Flight().add(statement), true);
        } catch (SQLException error) {
            if (dialect.classify(error) != SqlDialect.Fault.REFUSED) {
                throw error;
            }
            database.connection().rollback();
            refused.add(what);
        }
    }

    private List<Finding> incarnation() throws SQLException {
        Sql sql = new Sql(dialect);
        Row row = rows("select generation, (" + sql.quiet + "), max_ttl, " + sql.marked
                        + " from baton_store s where s.id = 1")
                .get(0);
        Duration quiet = Duration.ofMillis(row.number(1));
        Duration longest = Duration.ofMillis(row.number(2));
        if (row.number(0) == 0) {
            return List.of(Finding.ok("incarnation", "no client has connected yet"));
        } else if (!row.flag(3)) {
            return List.of(Finding.warning(
                    "incarnation",
                    "the server has crashed, restarted or been promoted since a client last connected: once one does,"
                            + " nobody is newly granted a lock for " + DurationText.of(longest),
                    ""));
        } else if (!quiet.isZero()) {
            return List.of(Finding.warning(
                    "incarnation",
                    "the server has crashed, restarted or been promoted: nobody is newly granted a lock for another "
                            + DurationText.of(quiet),
                    ""));
        }
        return List.of(Finding.ok("incarnation", "number " + row.number(0) + "; locks are granted"));
    }

    private List<Finding> sizes() throws SQLException {
        List<Row> tables = rows(queries.sizes());
        long total = tables.stream().mapToLong(row -> row.number(1)).sum();
        String what = mebibytes(total) + " in all, of which "
                + tables.stream()
                        .limit(3)
                        .map(row -> mebibytes(row.number(1)) + " in " + row.text(0))
                        .collect(Collectors.joining(", "));
        // These have a row for each session, and one.
        boolean bloated = tables.stream()
                .filter(row -> List.of("baton_session", "baton_store").contains(row.text(0)))
                .anyMatch(row -> row.number(1) > LARGE);
        return List.of(
                bloated
                        ? Finding.warning(
                                "sizes",
                                what
                                        + ": rows that heartbeats have replaced are not removed, and heartbeats become slow",
                                "end old transactions, and vacuum these tables more often")
                        : Finding.ok("sizes", what));
    }

    private List<Finding> connections(boolean tables) throws SQLException {
        String doing = rows(queries.activity()).stream()
                .map(row -> row.number(1) + " " + row.text(0))
                .collect(Collectors.joining(", "));
        String sessions = tables
                ? "; " + CONNECTIONS_OF_A_SESSION + " for each of "
                        + rows("select count(*) from baton_session").get(0).number(0) + " sessions"
                : "";
        return rows(queries.connections()).stream()
                .map(row -> limit(row.text(0), row.number(1), row.number(2), doing + sessions))
                .toList();
    }

    private static Finding limit(String of, long used, long most, String doing) {
        String what = of + " has " + used + " of at most " + most + " connections (" + doing + ")";
        return used > NEARLY_FULL * most || most - used < CONNECTIONS_OF_A_SESSION
                ? Finding.warning(
                        "connections",
                        what + ": when the limit is reached, clients cannot connect, and those that lose contact lose"
                                + " their holds",
                        "raise the limit, or end clients; each session of Baton keeps " + CONNECTIONS_OF_A_SESSION)
                : Finding.ok("connections", what);
    }

    private List<Finding> transactions() throws SQLException {
        Row row = rows(queries.transaction()).get(0);
        Duration age = row.isNull(0) ? Duration.ZERO : Duration.ofSeconds(row.number(0));
        return List.of(
                age.compareTo(OLD) > 0
                        ? Finding.warning(
                                "transactions",
                                "one has been open for " + DurationText.of(age)
                                        + ": meanwhile rows that heartbeats and changes of locks have replaced are kept, and"
                                        + " both become slower with each",
                                "end it, and set a limit for idle transactions")
                        : Finding.ok("transactions", "none has been open for long"));
    }

    private List<Finding> settings() throws SQLException {
        List<Finding> found = new ArrayList<>(List.of(acknowledged(rows(dialect.lossy()))));
        for (Row row : rows(queries.settings())) {
            found.add(
                    row.flag(0)
                            ? Finding.problem("settings", row.text(1), row.text(2))
                            : Finding.warning("settings", row.text(1), row.text(2)));
        }
        return found;
    }

    private Finding acknowledged(List<Row> lossy) {
        if (lossy.isEmpty()) {
            return Finding.ok("settings", "what is acknowledged survives a crash of the server");
        }
        return acknowledged == Survival.LATEST_MAY_BE_LOST
                ? Finding.warning(
                        "settings",
                        LossySettings.text(lossy)
                                + ", so a crash of the machine may lose or damage what was acknowledged, as is declared",
                        "change it, or have no records there that must not be lost")
                : Finding.problem(
                        "settings", LossySettings.why(lossy), "see 'What is refused' in docs/guide/databases.md");
    }

    private List<Finding> wakeUps() throws SQLException {
        if (queries.queue().isEmpty()) {
            return List.of(
                    Finding.ok("wake-ups", "this database does not notify: those who wait look every 5 to 250 ms"));
        }
        long full = rows(queries.queue()).get(0).number(0);
        String what = "those who wait are notified (LISTEN/NOTIFY); the server's queue is " + full + " % full";
        return List.of(
                full > FULL_QUEUE
                        ? Finding.warning(
                                "wake-ups",
                                what + ": when it is, transactions that notify fail",
                                "end the session in pg_stat_activity that listens and does not read, or has an old"
                                        + " transaction")
                        : Finding.ok("wake-ups", what));
    }

    private Finding timings() {
        Duration shortest = LiveJdbcStore.SHORTEST_TTL;
        return ttl.compareTo(shortest) < 0
                ? Finding.warning(
                        "timings",
                        "clients ask for a ttl of " + DurationText.of(ttl) + ", and get " + DurationText.of(shortest),
                        "ask for that, or more")
                : Finding.ok("timings", "clients ask for a ttl of " + DurationText.of(ttl));
    }

    static ClockReading clock(StoreDatabase.Opened database, String hosts) throws SQLException {
        long asked = System.nanoTime();
        long before = System.currentTimeMillis();
        long wall = database.rows("select " + database.dialect().wall(), List.of())
                .get(0)
                .number(0);
        Duration half = Duration.ofNanos((System.nanoTime() - asked) / 2);
        return new ClockReading(hosts, Duration.ofMillis(wall - before).minus(half), half.plusMillis(1));
    }

    private static String mebibytes(long bytes) {
        return String.format(Locale.ROOT, "%.1f MiB", bytes / (double) (1 << 20));
    }
}
