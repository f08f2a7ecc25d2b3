package io.baton.benchmarks;

import io.baton.benchmarks.Contest.Round;
import io.baton.benchmarks.config.ConfigBenchmark;
import io.baton.benchmarks.failover.FailoverCommand;
import io.baton.benchmarks.scale.ScaleCommand;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** Measures and prints. */
@Command(
        name = "benchmarks/run",
        subcommands = {FailoverCommand.class, ConfigBenchmark.class, ScaleCommand.class},
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Measures Baton beside another lock, on one server in one run: Curator's InterProcessMutex on ZooKeeper,"
                        + " or jetcd's Lock on etcd.")
public final class Main implements Callable<Integer> {

    @Parameters(
            paramLabel = "ROW",
            description = "Rows to measure; all if none is named: acked, sent, hand-off-2, hand-off-8, hand-off-32; on"
                    + " ZooKeeper also acked-2ms, sent-2ms, hand-off-128, threads-200.")
    private List<String> names = new ArrayList<>();

    @Option(
            names = "--store",
            paramLabel = "STORE",
            converter = ByScheme.class,
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

    @Option(names = "--raw", paramLabel = "DIR", description = "Where the raw data goes (default: ${DEFAULT-VALUE}).")
    private Path raw = Path.of("target", "results");

    private Main() {}

    /** Runs the command and ends the JVM with its status. */
    public static void main(String[] args) {
        System.exit(new CommandLine(new Main()).execute(args));
    }

    @Override
    public Integer call() throws Exception {
        List<Row> rows = rows();
        var data = new RawData(field);
        try (Server server = field.start()) {
            System.out.printf(
                    Locale.ROOT,
                    "JDK %s, %d processors, load %.1f; %s in its own process, nothing forced to disk;"
                            + " %d rounds of %d ms each side, in turns%n%n%s%n",
                    Runtime.version(),
                    Runtime.getRuntime().availableProcessors(),
                    load(),
                    server.what(),
                    rounds,
                    roundMillis,
                    ResultTable.head(field));
            for (Row row : rows) {
                List<Round> played = new Contest(field, row, server)
                        .play(rounds, Duration.ofMillis(roundMillis), Duration.ofMillis(warmUpMillis));
                data.add(row, played);
                System.out.println(ResultTable.line(row, played));
            }
        }
        Path file = raw.resolve(
                LocalDateTime.now(ZoneOffset.UTC).format(DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT))
                        + ".csv");
        data.write(file);
        System.out.printf(Locale.ROOT, "%nload %.1f at the end; every round: %s%n", load(), file);
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

    /** Names a field as its store's URIs do. */
    private static final class ByScheme implements ITypeConverter<Field> {

        @Override
        public Field convert(String scheme) {
            return Stream.of(Field.values())
                    .filter(field -> field.scheme().equals(scheme))
                    .findFirst()
                    .orElseThrow(() -> new TypeConversionException("no such store: " + scheme));
        }
    }

    private static double load() {
        return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    }
}
