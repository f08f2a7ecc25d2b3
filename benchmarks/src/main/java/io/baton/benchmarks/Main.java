package io.baton.benchmarks;

import io.baton.benchmarks.config.ConfigBenchmark;
import io.baton.benchmarks.database.DatabaseCommand;
import io.baton.benchmarks.failover.FailoverCommand;
import io.baton.benchmarks.plot.PlotCommand;
import io.baton.benchmarks.scale.ScaleCommand;
import io.baton.testkit.etcd.EtcdBinaries;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** Measures and prints. */
@Command(
        name = "benchmarks/run",
        subcommands = {
            FailoverCommand.class,
            ConfigBenchmark.class,
            ScaleCommand.class,
            DatabaseCommand.class,
            PlotCommand.class
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Measures locks and recipes of Baton beside those of another library, on the same servers in one run:"
                    + " Curator's on ZooKeeper, or jetcd's on etcd.",
            ""
        },
        footer = {
            "",
            "Rows:",
            "  acked, sent          one client takes the lock and gives it back; Baton waits",
            "                       for the confirmation, or does not",
            "  hand-off-N           N clients hand it on to one another: 2, 8, 32 or 128",
            "  hand-off-N-Tms       the same with a round trip of T ms: 2, 8 and 32 clients",
            "                       with 1 ms, 8 also with 0.5 ms and 2 ms",
            "  again-linger         one client takes it again and again; its place lingers",
            "On ZooKeeper also:",
            "  acked-2ms, sent-2ms  as above, with a round trip of 2 ms",
            "  read-90, read-50     8 clients and a read/write lock; 90 or 50 %% read",
            "  permits              8 clients and a semaphore of 4 permits; these three also",
            "                       with a round trip of 1 ms: permits-1ms and so on",
            "  threads-8            8 threads of one client; threads-8-cohort in a cohort",
            "  counter, counter-8   a counter, of 1 client or 8; number: set if unchanged",
            "  barrier-8, double-8  8 clients at a barrier, at a double barrier",
            "  group                one joins and leaves a group; another one sees both",
            "  threads-200          200 threads of one client wait, then each takes it once",
            "",
            "Columns; of two figures, the first is the other library's:",
            "  /s                   passes a second: the lock is taken and given back",
            "  ratio                Baton's passes to the other's, round by round",
            "  goal                 the least ratio that Baton aims at",
            "  requests, CPU, kB    per pass: to the servers; processor time and allocated",
            "                       kilobytes of the clients",
            "and of hand-offs:",
            "  create + delete      with the store's own client: writes and removes a node",
            "  event                the same: from a removal to the other client's event",
            "  changes/s            how often the lock went to another client; a client that",
            "                       takes it back at once adds passes, but no changes",
            "  of limit             changes, as a share of one for each event's way",
            "  longest wait         of a round",
            "  least share          passes of the client with the fewest, of the average",
            "",
            "Examples:",
            "  benchmarks/run hand-off-8 acked",
            "  benchmarks/run --store etcd",
            "  benchmarks/run --processes hand-off-8-1ms         as services lock",
            "  benchmarks/run --servers 3 --fsync                as servers are run",
            "  benchmarks/run --rounds 1 --round-ms 200 --warm-up-ms 200 acked    a try"
        })
public final class Main extends Measurement {

    private static final int MOST_SERVERS = 9;

    /** Of one side. */
    private static final int MOST_PROCESSES = 32;

    @Parameters(paramLabel = "ROW", description = "What to measure, see below; all if none is named.")
    private List<String> names = new ArrayList<>();

    @Option(
            names = "--store",
            paramLabel = "STORE",
            converter = StoreByWord.class,
            description = "zk or etcd (default: zk). An etcd is looked for where $BATON_ETCD says, or in the path.")
    private Field field = Field.ZOOKEEPER;

    @Option(
            names = "--servers",
            paramLabel = "N",
            description = "How many servers: 3 form an ensemble or a cluster (default: ${DEFAULT-VALUE}).")
    private int servers = 1;

    @Option(names = "--fsync", description = "Servers force their logs to disk, as in production.")
    private boolean forced;

    @Option(
            names = "--processes",
            description =
                    "Each client of each side has a small JVM of its own. Only hand-off-N and hand-off-N-Tms can be"
                            + " measured so; if no row is named, those of up to 32 clients: 128 clients are 256 JVMs.")
    private boolean processes;

    @Option(names = "--rounds", paramLabel = "N", description = "Rounds of each side (default: ${DEFAULT-VALUE}).")
    private int rounds = 9;

    @Option(
            names = "--round-ms",
            paramLabel = "MS",
            description = "How long a round takes (default: ${DEFAULT-VALUE}).")
    private long roundMillis = 1_000;

    @Option(
            names = "--warm-up-ms",
            paramLabel = "MS",
            description =
                    "Warm-up of each side (default: 10000; 16000 with --processes, where each client first takes the"
                            + " lock alone for a quarter of it).")
    private @Nullable Long warmUpMillis;

    @Spec
    private CommandSpec spec;

    private Main() {}

    /** Runs the command and ends the JVM with its status. */
    public static void main(String[] args) {
        System.exit(new CommandLine(new Main())
                // benchmarks/run says where files go; the user may say otherwise.
                .setOverwrittenOptionsAllowed(true)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler(Main::refuse)
                .execute(args));
    }

    private static int refuse(ParameterException wrong, String[] args) {
        CommandLine command = wrong.getCommandLine();
        PrintWriter errors = command.getErr();
        errors.println(wrong.getMessage());
        if (!UnmatchedArgumentException.printSuggestions(wrong, errors)) {
            errors.println("See '" + command.getCommandSpec().qualifiedName() + " --help'.");
        }
        return command.getCommandSpec().exitCodeOnInvalidInput();
    }

    @Override
    public Integer call() throws Exception {
        List<Row> rows = rows();
        var setup = new Setup(field, servers, forced, processes);
        long warmUp = warmUpMillis != null ? warmUpMillis : processes ? 16_000 : 10_000;
        try (Server server = setup.start()) {
            String head = printHead(server.what() + ", apart from the clients, " + setup.conditions() + "; " + rounds
                    + " rounds of " + roundMillis + " ms each side, in turns, after " + warmUp + " ms of each");
            var data = new RawData(setup, head);
            var all = new ArrayList<Played>();
            System.out.println("\n" + ResultTable.head(field));
            for (Row row : rows) {
                Played played = new Contest(setup, row, server)
                        .play(rounds, Duration.ofMillis(roundMillis), Duration.ofMillis(warmUp));
                all.add(played);
                data.add(played);
                System.out.println(ResultTable.line(played));
            }
            ResultTable.handOffs(field, all).ifPresent(table -> System.out.println("\n" + table));
            finish(setup.name(), data::write);
        }
        return 0;
    }

    private List<Row> rows() {
        require(rounds >= 1, "--rounds must be 1 or more");
        require(roundMillis >= 1, "--round-ms must be 1 or more");
        require(warmUpMillis == null || warmUpMillis >= 0, "--warm-up-ms must not be negative");
        require(servers >= 1 && servers <= MOST_SERVERS, "--servers must be 1 to " + MOST_SERVERS);
        if (field == Field.ETCD) {
            valid(EtcdBinaries::newest);
        }
        if (names.isEmpty()) {
            return field.rows().stream()
                    .filter(row -> !processes || (row.handsOffAmongClients() && row.clients() <= MOST_PROCESSES))
                    .toList();
        }
        var rows = new ArrayList<Row>();
        for (String name : names) {
            Row row = valid(() -> field.row(name));
            require(
                    !processes || row.handsOffAmongClients(),
                    "--processes is for hand-offs among clients, not for " + name);
            require(!rows.contains(row), "named twice: " + name);
            rows.add(row);
        }
        return rows;
    }

    /** Says what is wrong with the command if there is no such value. */
    private <T> T valid(Supplier<T> value) {
        try {
            return value.get();
        } catch (IllegalArgumentException | IllegalStateException wrong) {
            throw new ParameterException(spec.commandLine(), wrong.getMessage(), wrong);
        }
    }

    private void require(boolean right, String otherwise) {
        if (!right) {
            throw new ParameterException(spec.commandLine(), otherwise);
        }
    }

    private static final class StoreByWord extends ByWord<Field> {
        StoreByWord() {
            super("store", Field.class, Field::scheme);
        }
    }
}
