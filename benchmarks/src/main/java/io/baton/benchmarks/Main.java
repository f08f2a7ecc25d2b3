package io.baton.benchmarks;

import io.baton.benchmarks.Contest.Played;
import io.baton.benchmarks.config.ConfigBenchmark;
import io.baton.benchmarks.failover.FailoverCommand;
import io.baton.benchmarks.plot.PlotCommand;
import io.baton.benchmarks.scale.ScaleCommand;
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

/** Measures and prints. */
@Command(
        name = "benchmarks/run",
        subcommands = {FailoverCommand.class, ConfigBenchmark.class, ScaleCommand.class, PlotCommand.class},
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Measures Baton beside another lock, on the same servers in one run: Curator's InterProcessMutex on"
                        + " ZooKeeper, or jetcd's Lock on etcd.")
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

    @Option(
            names = "--servers",
            paramLabel = "N",
            description = "How many servers: 3 form an ensemble or a cluster (default: ${DEFAULT-VALUE}).")
    private int servers = 1;

    @Option(names = "--fsync", description = "Servers force their logs to disk.")
    private boolean forced;

    @Option(
            names = "--processes",
            description =
                    "Each client of each side has a small JVM of its own. Only hand-off-N and hand-off-N-Tms can be"
                            + " measured so; if no row is named, those of up to 32 clients: 128 clients are 256 JVMs.")
    private boolean processes;

    @Spec
    private CommandSpec spec;

    private Main() {}

    /** Runs the command and ends the JVM with its status. */
    public static void main(String[] args) {
        System.exit(new CommandLine(new Main()).execute(args));
    }

    @Override
    public Integer call() throws Exception {
        List<Row> rows = rows();
        var setup = new Setup(field, servers, forced, processes);
        Duration warmUp = Duration.ofMillis(warmUpMillis != null ? warmUpMillis : processes ? 16_000 : 4_000);
        var data = new RawData(setup);
        var handOffs = new ArrayList<String>();
        try (Server server = setup.start()) {
            printHead(server.what() + ", apart from the clients, " + (forced ? "logs" : "nothing") + " forced to disk, "
                    + (processes ? "each client in a process of its own; " : "all clients in one process; ")
                    + rounds + " rounds of " + roundMillis + " ms each side, in turns");
            System.out.println("\n" + ResultTable.head(field));
            for (Row row : rows) {
                Played played = new Contest(setup, row, server).play(rounds, Duration.ofMillis(roundMillis), warmUp);
                data.add(row, played);
                System.out.println(ResultTable.line(row, played.rounds()));
                if (row.handsOff()) {
                    handOffs.add(ResultTable.handOffs(row, played));
                }
            }
        }
        if (!handOffs.isEmpty()) {
            System.out.println("\n" + ResultTable.headOfHandOffs(field));
            handOffs.forEach(System.out::println);
        }
        finish(setup.name(), data::write);
        return 0;
    }

    private List<Row> rows() {
        List<Row> rows;
        try {
            rows = names.isEmpty() ? defaults() : names.stream().map(field::row).toList();
        } catch (IllegalArgumentException unknown) {
            throw new ParameterException(spec.commandLine(), unknown.getMessage(), unknown);
        }
        for (Row row : rows) {
            if (processes && !row.handsOffAmongClients()) {
                throw new ParameterException(
                        spec.commandLine(), "--processes is for hand-offs among clients, not for " + row.name());
            }
        }
        if (servers < 1 || servers > MOST_SERVERS) {
            throw new ParameterException(spec.commandLine(), "--servers must be 1 to " + MOST_SERVERS);
        }
        return rows;
    }

    private List<Row> defaults() {
        return field.rows().stream()
                .filter(row -> !processes || row.handsOffAmongClients() && row.clients() <= MOST_PROCESSES)
                .toList();
    }

    private static final class StoreByWord extends ByWord<Field> {
        StoreByWord() {
            super("store", Field.class, Field::scheme);
        }
    }
}
