package io.baton.jdbc;

import io.baton.CoordinationException;
import io.baton.StoreUnavailableException;
import io.baton.jdbc.Flight.Row;
import io.baton.spi.Entry;
import io.baton.spi.Line;
import io.baton.spi.inspect.ClockReading;
import io.baton.spi.inspect.Finding;
import io.baton.spi.inspect.ServerState;
import io.baton.spi.inspect.SessionTimings;
import io.baton.spi.inspect.StoreInspector;
import io.baton.spi.kernel.KernelSession;
import io.baton.spi.support.ParallelCalls;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Looks at a database, and at what is in Baton's tables. A database without the tables is an empty store. */
final class JdbcInspector implements StoreInspector {

    private static final String NAME = "inspection";
    private static final Duration MOST = Duration.ofHours(1);
    private static final int LINES_AT_ONCE = 500;

    /** That of the paths of what lies below. */
    private static final Comparator<String> ORDER = Comparator.comparing(name -> name + "/");

    private final JdbcAddress address;
    private final Duration patience;
    private StoreDatabase.@Nullable Opened open;
    private boolean tables;

    JdbcInspector(JdbcAddress address, Duration patience) {
        this.address = address;
        this.patience = patience.compareTo(MOST) < 0 ? patience : MOST;
    }

    /** A question to the database. */
    private interface Question<T> {
        T ask(StoreDatabase.Opened database) throws SQLException;
    }

    @Override
    public NamePage names(String path, String after, int most) {
        if (path.isEmpty()) {
            List<String> behind = new ArrayList<>(ifThere("a look at the root", new TreeSet<>(ORDER), this::top));
            behind.removeIf(name -> !after.isEmpty() && ORDER.compare(name, after) <= 0);
            return new NamePage(behind.stream().limit(most).toList(), behind.size() > most);
        }
        List<Row> rows = ifThere(
                "a look at " + path,
                List.of(),
                // A longer path is stored as a hash, from which no name can be read.
                database -> database.rows(
                        "select distinct path from baton_entry where path > ? and path < ? and octet_length(path) <= "
                                + Sql.LONGEST_KEY + " order by path limit ?",
                        List.of(Sql.utf8(path + "/" + after), Sql.utf8(path + "0"), most + 1)));
        List<String> names = rows.stream()
                .map(row -> text(row.bytes(0)).substring(path.length() + 1))
                .toList();
        return new NamePage(names.stream().limit(most).toList(), names.size() > most);
    }

    /** The trees that have records, and the first parts of the paths of lines. */
    private SortedSet<String> top(StoreDatabase.Opened database) throws SQLException {
        SortedSet<String> names = new TreeSet<>(ORDER);
        database.rows(
                        "select tree from baton_tree t where exists (select 1 from baton_record r where r.tree = t.tree)",
                        List.of())
                .forEach(row -> names.add(text(row.bytes(0))));
        String next = "";
        while (true) {
            List<Row> found = database.rows(
                    "select path from baton_entry where path >= ? order by path limit 1", List.of(Sql.utf8(next)));
            if (found.isEmpty()) {
                return names;
            }
            String path = text(found.get(0).bytes(0));
            String name = path.replaceFirst("/.*", "");
            if (!name.isEmpty()) { // otherwise an exact path
                names.add(name);
            }
            next = name.equals(path) ? path + "\0" : name + "0"; // behind all that begin with the name and a slash
        }
    }

    @Override
    public List<LineSummary> lines(Line.Kind kind, List<String> paths) {
        List<LineSummary> lines = new ArrayList<>();
        for (int from = 0; from < paths.size(); from += LINES_AT_ONCE) {
            List<String> some = paths.subList(from, Math.min(paths.size(), from + LINES_AT_ONCE));
            Map<String, Row> found = ifThere("a look at lines", Map.of(), database -> firsts(database, some));
            for (String path : some) {
                Optional<Row> row = Optional.ofNullable(found.get(path));
                Optional<Entry> first = row.map(entry -> LineSteps.entry(Line.of(path, kind), entry));
                lines.add(
                        new LineSummary(path, row.map(entry -> entry.number(8)).orElse(0L), first));
            }
        }
        return lines;
    }

    /** The first entry of each line, with the line's path and length behind. */
    private static Map<String, Row> firsts(StoreDatabase.Opened database, List<String> paths) throws SQLException {
        List<Row> rows = database.rows(
                "select e.name, e.token, e.mode, e.permits, e.payload, e.sid, e.downgraded, e.path, l.length from"
                        + " (select path, count(*) as length, min(token) as first from baton_entry where path in ("
                        + Sql.marks(paths.size())
                        + ") group by path) l join baton_entry e on e.path = l.path and e.token = l.first",
                paths.stream().map(Sql::utf8).toList());
        Map<String, Row> firsts = new HashMap<>();
        rows.forEach(row -> firsts.put(text(row.bytes(7)), row));
        return firsts;
    }

    @Override
    public List<TreeSummary> trees(List<String> names) {
        // What begins with a dollar sign is reserved for recipes.
        String unreserved = " from baton_record where tree = ? and (name < ? or name >= ?)";
        List<TreeSummary> trees = new ArrayList<>();
        for (String name : names) {
            List<?> values = List.of(Sql.utf8(name), Sql.utf8("$"), Sql.utf8("%"));
            trees.add(ifThere("a look at " + name, new TreeSummary(name, 0, Optional.empty()), database -> {
                long records = database.rows("select count(*)" + unreserved, values)
                        .get(0)
                        .number(0);
                Optional<String> last =
                        database.rows("select name" + unreserved + " order by name desc limit 1", values).stream()
                                .map(row -> text(row.bytes(0)))
                                .findFirst();
                return new TreeSummary(name, records, last);
            }));
        }
        return trees;
    }

    @Override
    public List<ServerState> servers() throws InterruptedException {
        return ParallelCalls.map(address.servers(), "baton-jdbc-inspection", this::state);
    }

    private ServerState state(JdbcAddress server) {
        String name = server.hosts();
        try {
            StoreDatabase.Opened opened = connect(server);
            try (Connection connection = opened.connection()) {
                String role = opened.rows(opened.dialect().operatorQueries().role(), List.of())
                        .get(0)
                        .text(0);
                long asked = System.nanoTime();
                boolean ignored = connection.isValid((int) patience.toSeconds());
                Duration roundTrip = Duration.ofNanos(System.nanoTime() - asked);
                return new ServerState(
                        name,
                        Optional.empty(),
                        Optional.of(role),
                        Optional.of(DatabaseExamination.version(connection)),
                        Optional.of(roundTrip));
            }
        } catch (SQLException | UnfitDatabaseException away) {
            return new ServerState(
                    name,
                    Optional.of(name + ": " + JdbcWire.text(away)),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty());
        }
    }

    @Override
    public Optional<ClockReading> clock() {
        return Optional.of(
                ask("a look at the clock", database -> DatabaseExamination.clock(database, address.hosts())));
    }

    @Override
    public SessionTimings timings(Duration granted) {
        return KernelSession.timings(granted, LiveJdbcStore.SHORTEST_TTL, LiveJdbcStore.EXPIRY_LAG);
    }

    @Override
    public List<Finding> examine(Duration ttl, OptionalInt adminPort) throws InterruptedException {
        List<ServerState> servers = servers();
        if (servers.stream().allMatch(each -> each.trouble().isPresent())) {
            throw unavailable(
                    servers.stream().flatMap(each -> each.trouble().stream()).collect(Collectors.joining("; ")));
        }
        List<Finding> all = new ArrayList<>();
        servers.forEach(each -> all.add(finding(each)));
        try {
            open();
        } catch (StoreUnavailableException noPrimary) {
            all.add(Finding.problem(
                    "primary",
                    "no server of the URI is a primary, so no lock can be acquired: " + noPrimary.getMessage(),
                    "promote a standby, or name the primary"));
            return all;
        }
        all.addAll(ask("the examination", database -> new DatabaseExamination(database, address, ttl).findings()));
        return all;
    }

    private static Finding finding(ServerState server) {
        return server.trouble()
                .map(why -> Finding.warning("servers", why, "start it, or take it out of the URI"))
                .orElseGet(() -> Finding.ok(
                        "servers", server.address() + " is a " + server.role().orElse("server")));
    }

    @Override
    public void close() {
        if (open != null) {
            try {
                open.connection().close();
            } catch (SQLException broken) {
                // It is gone in any case.
            }
            open = null;
        }
    }

    // ---- questions

    /** Asks about what is in the tables; without tables there is nothing. */
    private <T> T ifThere(String what, T nothing, Question<T> question) {
        if (!tables) {
            tables = ask(what, database -> version(what, database)) > 0;
        }
        return tables ? ask(what, question) : nothing;
    }

    private static long version(String what, StoreDatabase.Opened database) throws SQLException {
        long version = StoreSchema.version(database.connection(), database.dialect());
        try {
            if (version > 0) {
                StoreSchema.checkVersion(version);
            }
            return version;
        } catch (UnfitDatabaseException other) {
            throw new CoordinationException(what + ": " + other.getMessage(), other);
        }
    }

    private <T> T ask(String what, Question<T> question) {
        StoreDatabase.Opened opened = open();
        try {
            return question.ask(opened);
        } catch (SQLException error) {
            boolean broken = opened.dialect().classify(error) != SqlDialect.Fault.REFUSED;
            close();
            String why = what + ": " + JdbcWire.text(error);
            throw broken ? new StoreUnavailableException(why, error) : new CoordinationException(why, error);
        }
    }

    private StoreDatabase.Opened open() {
        if (open == null) {
            try {
                open = connect(address);
            } catch (SQLException | UnfitDatabaseException away) {
                throw unavailable(JdbcWire.text(away));
            }
        }
        return open;
    }

    /** Statements are given up after the patience, as they are after a quarter of a session's ttl. */
    private StoreDatabase.Opened connect(JdbcAddress to) throws SQLException, UnfitDatabaseException {
        return to.database(patience).connect(NAME, patience.multipliedBy(4));
    }

    private StoreUnavailableException unavailable(String why) {
        return new StoreUnavailableException("no contact with " + address + ": " + why);
    }

    private static String text(byte[] utf8) {
        return new String(utf8, StandardCharsets.UTF_8);
    }
}
