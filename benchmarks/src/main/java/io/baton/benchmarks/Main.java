package io.baton.benchmarks;

import io.baton.benchmarks.Contest.Played;
import io.baton.benchmarks.config.ConfigBenchmark;
import io.baton.benchmarks.failover.FailoverCommand;
import io.baton.benchmarks.scale.ScaleCommand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Measures and prints. */
@Command(
        name = "benchmarks/run",
        subcommands = {FailoverCommand.class, ConfigBenchmark.class, ScaleCommand.class},
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Measures Baton beside another lock, on one server in one run: Curator's InterProcessMutex on ZooKeeper,"
                        + " or jetcd's Lock on etcd.")
public final class Main extends Measurement {

    @Parameters(
            paramLabel = "ROW",
            description = "Rows to measure; all if none is named: acked, sent, hand-off-N with 2, 8, 32 or 128 clients,"
                    + " hand-off-N-Tms over a slower network (2, 8 and 32 clients at 1 ms, 8 also at 0.5 ms and 2 ms);"
                    + " on ZooKeeper also acked-2ms, sent-2ms, threads-200.")
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
            description = "Warm-up of each side (default: ${DEFAULT-VALUE}).")
    private long warmUpMillis = 4_000;

    @Option(names = "--fsync", description = "The server forces its log to disk.")
    private boolean forced;

    private Main() {}

    /** Runs the command and ends the JVM with its status. */
    public static void main(String[] args) {
        System.exit(new CommandLine(new Main()).execute(args));
    }

    @Override
    public Integer call() throws Exception {
        List<Row> rows = rows();
        var data = new RawData(field);
        var handOffs = new ArrayList<String>();
        try (Server server = field.start(forced)) {
            printHead(server.what() + " in its own process, " + (forced ? "its log" : "nothing") + " forced to disk; "
                    + rounds + " rounds of " + roundMillis + " ms each side, in turns");
            System.out.println("\n" + ResultTable.head(field));
            for (Row row : rows) {
                Played played = new Contest(field, row, server)
                        .play(rounds, Duration.ofMillis(roundMillis), Duration.ofMillis(warmUpMillis));
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
        finish("", data::write);
        return 0;
    }

    private List<Row> rows() {
        var known = field.rows();
        for (String name : names) {
            if (known.stream().noneMatch(row -> row.name().equals(name))) {
                throw new IllegalArgumentException("no such row: " + name + " (see --help)");
            }
        }
        return known.stream()
                .filter(row -> names.isEmpty() || names.contains(row.name()))
                .toList();
    }

    private static final class StoreByWord extends ByWord<Field> {
        StoreByWord() {
            super("store", Field.class, Field::scheme);
        }
    }
}
