package io.baton.benchmarks.config;

import io.baton.benchmarks.Server;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** Measures live configuration. */
@Command(
        name = "config",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Measures live configuration beside Curator's CuratorCache on ZooKeeper, or beside jetcd's Watch on etcd, on one"
                        + " server in one run.")
public final class ConfigBenchmark implements Callable<Integer> {

    @Parameters(
            paramLabel = "CASE",
            converter = ByWord.class,
            description = "Cases to measure; all if none is named: latency, snapshot, rate, followers.")
    private List<ConfigCase> cases = new ArrayList<>();

    @Option(
            names = "--store",
            paramLabel = "STORE",
            converter = ByScheme.class,
            description = "zk or etcd (default: zk). An etcd is looked for where $BATON_ETCD says, or in the path.")
    private BenchmarkTarget ground = BenchmarkTarget.ZOOKEEPER;

    @Option(names = "--short", description = "A little of each, only to see that it works.")
    private boolean little;

    @Option(names = "--raw", paramLabel = "DIR", description = "Where the raw data goes (default: ${DEFAULT-VALUE}).")
    private Path raw = Path.of("target", "results");

    /** Filled by its options. */
    public ConfigBenchmark() {}

    @Override
    public Integer call() throws Exception {
        ConfigResults results = new ConfigResults(ground.scheme());
        for (ConfigCase what : cases.isEmpty() ? List.of(ConfigCase.values()) : cases) {
            // Nobody finds the keys of another case.
            try (Server server = ground.start()) {
                System.out.printf(
                        Locale.ROOT,
                        "JDK %s, %d processors, load %.1f; %s in its own process, nothing forced to disk%n",
                        Runtime.version(),
                        Runtime.getRuntime().availableProcessors(),
                        load(),
                        server.what());
                String servers = "127.0.0.1:" + server.address().getPort();
                what.measure(new Scene(ground, servers, results), little ? Size.SHORT : Size.FULL);
            }
        }
        Path file = raw.resolve("config-" + ground.scheme() + "-"
                + LocalDateTime.now(ZoneOffset.UTC).format(DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT))
                + ".csv");
        results.write(file);
        System.out.printf(Locale.ROOT, "load %.1f at the end; every value: %s%n", load(), file);
        return 0;
    }

    private static double load() {
        return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    }

    /** Names a store as its URIs do. */
    private static final class ByScheme implements ITypeConverter<BenchmarkTarget> {

        @Override
        public BenchmarkTarget convert(String scheme) {
            return Stream.of(BenchmarkTarget.values())
                    .filter(ground -> ground.scheme().equals(scheme))
                    .findFirst()
                    .orElseThrow(() -> new TypeConversionException("no such store: " + scheme));
        }
    }

    /** Names a case as raw data does. */
    private static final class ByWord implements ITypeConverter<ConfigCase> {

        @Override
        public ConfigCase convert(String word) {
            return Stream.of(ConfigCase.values())
                    .filter(one -> one.word().equals(word))
                    .findFirst()
                    .orElseThrow(() -> new TypeConversionException("no such case: " + word));
        }
    }
}
