package io.baton.benchmarks;

import io.baton.benchmarks.config.ConfigBenchmark;
import io.baton.benchmarks.failover.FailoverCommand;
import io.baton.benchmarks.plot.PlotCommand;
import io.baton.benchmarks.scale.ScaleCommand;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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
        subcommands = {FailoverCommand.class, ConfigBenchmark.class, ScaleCommand.class, PlotCommand.class},
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Measures locks of Baton beside those of another library, on the same servers in one run: Curator's on"
                    + " ZooKeeper, or jetcd's on etcd.",
            "",
            "The first table has for each row",
            "  /s         passes: the lock is taken and given back",
            "  ratio      Baton's passes to the other's, round by round: the median, the least and the greatest",
            "  goal       the least ratio that Baton aims at",
            "  requests   to the servers, processor time and kilobytes allocated by the clients, all per pass",
            "The second table has for each row of hand-offs",
            "  create + delete, event   what the store's own client takes: to write and remove a node or key, and"
                    + " from its removal to the event at another client",
            "  changes/s  how often the lock went to another client; one that takes it back at once only adds passes",
            "  of limit   the same, as a share of what there would be if each took one event's way",
            "  longest wait of a round, and the passes of the client with the fewest as a share of the average",
            "Figures are medians over the rounds; of two, the first is the other library's.",
            ""
        },
        footer = {
            "",
            "Examples:",
            "  benchmarks/run hand-off-8 acked                  two rows, in about a minute",
            "  benchmarks/run --store etcd                      every row beside jetcd",
            "  benchmarks/run --processes hand-off-8-1ms        as services do: processes, and a network",
            "  benchmarks/run --servers 3 --fsync               an ensemble as in production",
            "  benchmarks/run --rounds 1 --round-ms 200 --warm-up-ms 200 acked    only to see that it works"
        })
public final class Main extends Measurement {

    private static final int MOST_SERVERS = 9;

    /** Of one side. */
    private static final int MOST_PROCESSES = 32;

    @Parameters(
            paramLabel = "ROW",
            description = "Rows to measure; all if none is named: acked, sent, hand-off-N with 2, 8, 32 or 128 clients,"
                    + " hand-off-N-Tms over a slower network (2, 8 and 32 clients at 1 ms, 8 also at 0.5 ms and 2 ms),"
                    + " again-linger; on ZooKeeper also acked-2ms, sent-2ms, read-90, read-50 and permits (each also with"
                    + " -1ms), threads-8, threads-8-cohort, threads-200.")
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
                    "Warm-up of each side (default: 4000; 16000 with --processes, where each client first takes the"
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
                .setParameterExceptionHandler(Main::refuse)
                .execute(args));
    }

    private static int refuse(ParameterException wrong, String[] args) {
        CommandLine command = wrong.getCommandLine();
        PrintWriter errors = command.getErr();
        errors.println(wrong.getMessage());
        if (!UnmatchedArgumentException.printSuggestions(wrong, errors)) {
            errors.println("'" + command.getCommandSpec().qualifiedName() + " --help' has rows and options");
        }
        return command.getCommandSpec().exitCodeOnInvalidInput();
    }

    @Override
    public Integer call() throws Exception {
        List<Row> rows = rows();
        var setup = new Setup(field, servers, forced, processes);
        long warmUp = warmUpMillis != null ? warmUpMillis : processes ? 16_000 : 4_000;
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
        if (names.isEmpty()) {
            return field.rows().stream()
                    .filter(row -> !processes || row.handsOffAmongClients() && row.clients() <= MOST_PROCESSES)
                    .toList();
        }
        var rows = new ArrayList<Row>();
        for (String name : names) {
            Row row = row(name);
            require(
                    !processes || row.handsOffAmongClients(),
                    "--processes is for hand-offs among clients, not for " + name);
            require(!rows.contains(row), "named twice: " + name);
            rows.add(row);
        }
        return rows;
    }

    private Row row(String name) {
        try {
            return field.row(name);
        } catch (IllegalArgumentException unknown) {
            throw new ParameterException(spec.commandLine(), unknown.getMessage(), unknown);
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
