package io.baton.benchmarks.database;

import io.baton.benchmarks.Measurement;
import io.baton.testkit.server.TestServer;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures locks on a database. */
@Command(
        name = "database",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpWidth = 100,
        description = {
            "Measures Baton on a database beside a row that is polled, SELECT ... FOR UPDATE, a lock of the server"
                    + " (pg_advisory_lock, GET_LOCK) and ShedLock:"
                    + " how often a second the lock goes to another client, the longest that a client waited, and what"
                    + " clients that only wait cost. All on one server in one run, in turns; no commit waits for a disk.",
            "",
            "Columns of hand-offs, for each number of clients:",
            "  changes/s   how often the lock went to another client; the median of the rounds",
            "  passes/s    how often it was taken, also by the one that had it last",
            "  longest     the longest that a client waited, in all rounds, in milliseconds",
            "of waiters:",
            "  commits/s   transactions of the server while one client has the lock and the others wait",
            ""
        })
public final class DatabaseCommand extends Measurement {

    @Option(
            names = "--store",
            paramLabel = "STORE",
            description = "postgres or mariadb (default: postgres). Its server is looked for where $BATON_POSTGRES or"
                    + " $BATON_MARIADB says, or in the path.")
    private DatabaseKind kind = DatabaseKind.POSTGRES;

    @Option(
            names = "--clients",
            paramLabel = "N",
            arity = "1..*",
            description = "How many hand the lock on (default: 2 8 32).")
    private List<Integer> clients = List.of(2, 8, 32);

    @Option(names = "--rounds", paramLabel = "N", description = "Rounds of each (default: ${DEFAULT-VALUE}).")
    private int rounds = 3;

    @Option(names = "--round-ms", paramLabel = "MS", description = "How long each takes (default: ${DEFAULT-VALUE}).")
    private long roundMillis = 2_000;

    @Option(names = "--waiters", paramLabel = "N", description = "How many only wait (default: ${DEFAULT-VALUE}).")
    private int waiters = 100;

    private final List<String> data = new ArrayList<>(List.of("side,clients,what,round,value"));

    /** Filled by its options. */
    public DatabaseCommand() {}

    @Override
    public Integer call() throws Exception {
        try (TestServer server = kind.start()) {
            String url = server.uri("/contest");
            DatabaseSide.createTables(url);
            printHead(kind.product() + ", nothing forced to disk; " + rounds + " rounds of " + roundMillis
                    + " ms each, in turns");
            for (int count : clients) {
                handOffs(url, count);
            }
            waiters(url);
        }
        finish("database-" + kind.name().toLowerCase(Locale.ROOT), file -> {
            Files.createDirectories(raw());
            Files.write(file, data);
        });
        return 0;
    }

    private void handOffs(String url, int count) throws Exception {
        Map<DatabaseSide, List<HandOffRound>> played = new EnumMap<>(DatabaseSide.class);
        for (int round = 0; round <= rounds; round++) { // the first one warms up
            for (DatabaseSide side : DatabaseSide.values()) {
                HandOffRound result = round(url, side, count);
                if (round > 0) {
                    played.computeIfAbsent(side, each -> new ArrayList<>()).add(result);
                    note(side, count, "changes/s", round, perSecond(result.changes(), result));
                    note(side, count, "passes/s", round, perSecond(result.passes(), result));
                    note(side, count, "longest-ms", round, result.longestNanos() / 1e6);
                }
            }
        }
        System.out.printf(
                Locale.ROOT, "%n| %d clients | changes/s | passes/s | longest ms |%n|---|---:|---:|---:|%n", count);
        played.forEach((side, results) -> System.out.printf(
                Locale.ROOT,
                "| %s | %.0f | %.0f | %.0f |%n",
                side.word(),
                median(results.stream()
                        .mapToDouble(each -> perSecond(each.changes(), each))
                        .toArray()),
                median(results.stream()
                        .mapToDouble(each -> perSecond(each.passes(), each))
                        .toArray()),
                results.stream().mapToLong(HandOffRound::longestNanos).max().orElseThrow() / 1e6));
    }

    private HandOffRound round(String url, DatabaseSide side, int count) throws Exception {
        List<DatabaseLock> locks = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                locks.add(side.connect(kind, url));
            }
            return HandOffRound.play(locks, roundMillis);
        } finally {
            close(locks);
        }
    }

    private void waiters(String url) throws Exception {
        System.out.printf(Locale.ROOT, "%n| %d waiters | commits/s |%n|---|---:|%n", waiters);
        for (DatabaseSide side : DatabaseSide.values()) {
            double perSecond = waiting(url, side);
            note(side, waiters, "idle-commits/s", 1, perSecond);
            System.out.printf(Locale.ROOT, "| %s | %.0f |%n", side.word(), perSecond);
        }
    }

    private double waiting(String url, DatabaseSide side) throws Exception {
        List<DatabaseLock> locks = new ArrayList<>();
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            DatabaseLock holder = side.connect(kind, url);
            locks.add(holder);
            holder.take();
            for (int i = 0; i < waiters; i++) {
                DatabaseLock waiter = side.connect(kind, url);
                locks.add(waiter);
                threads.execute(() -> takeAndGive(waiter));
            }
            Thread.sleep(2 * roundMillis); // until all wait, and the server has counted that
            long begun = System.nanoTime();
            long before = commits(url);
            Thread.sleep(5 * roundMillis);
            double perSecond = (commits(url) - before) / ((System.nanoTime() - begun) / 1e9);
            holder.give();
            threads.shutdown();
            if (!threads.awaitTermination(2, TimeUnit.MINUTES)) {
                throw new IllegalStateException("not all waiters were granted the lock: " + side.word());
            }
            return perSecond;
        } finally {
            threads.shutdownNow();
            close(locks);
        }
    }

    private static void takeAndGive(DatabaseLock lock) {
        try {
            lock.take();
            lock.give();
        } catch (Exception broken) {
            throw new IllegalStateException("a waiter failed", broken);
        }
    }

    private long commits(String url) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(kind.commits())) {
            row.next();
            return row.getLong(1);
        }
    }

    private static void close(List<DatabaseLock> locks) throws SQLException {
        for (DatabaseLock each : locks) {
            each.close();
        }
    }

    private void note(DatabaseSide side, int count, String what, int round, double value) {
        data.add(String.format(Locale.ROOT, "%s,%d,%s,%d,%.2f", side.name(), count, what, round, value));
    }

    private static double perSecond(long count, HandOffRound round) {
        return count / (round.nanos() / 1e9);
    }

    private static double median(double[] values) {
        Arrays.sort(values);
        return values[values.length / 2];
    }
}
