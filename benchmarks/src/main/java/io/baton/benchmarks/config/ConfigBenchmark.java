package io.baton.benchmarks.config;

import io.baton.benchmarks.ByWord;
import io.baton.benchmarks.Measurement;
import io.baton.benchmarks.Server;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Measures live configuration. */
@Command(
        name = "config",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Measures live configuration beside Curator's CuratorCache on ZooKeeper, or beside jetcd's Watch on etcd, on one"
                        + " server in one run.")
public final class ConfigBenchmark extends Measurement {

    @Parameters(
            paramLabel = "CASE",
            converter = CaseByWord.class,
            description = "Cases to measure; all if none is named: latency, snapshot, rate, followers.")
    private List<ConfigCase> cases = new ArrayList<>();

    @Option(
            names = "--store",
            paramLabel = "STORE",
            converter = StoreByWord.class,
            description = "zk or etcd (default: zk). An etcd is looked for where $BATON_ETCD says, or in the path.")
    private BenchmarkTarget ground = BenchmarkTarget.ZOOKEEPER;

    @Option(names = "--short", description = "A little of each, only to see that it works.")
    private boolean little;

    /** Filled by its options. */
    public ConfigBenchmark() {}

    @Override
    public Integer call() throws Exception {
        ConfigResults results = new ConfigResults(ground.scheme());
        for (ConfigCase what : cases.isEmpty() ? List.of(ConfigCase.values()) : cases) {
            // Nobody finds the keys of another case.
            try (Server server = Server.start(ground.scheme())) {
                printHead(server.what() + " in its own process, nothing forced to disk");
                String servers = "127.0.0.1:" + server.address().getPort();
                what.measure(new Scene(ground, servers, results), little ? Size.SHORT : Size.FULL);
            }
        }
        finish("config-" + ground.scheme(), results::write);
        return 0;
    }

    private static final class StoreByWord extends ByWord<BenchmarkTarget> {
        StoreByWord() {
            super("store", BenchmarkTarget.class, BenchmarkTarget::scheme);
        }
    }

    private static final class CaseByWord extends ByWord<ConfigCase> {
        CaseByWord() {
            super("case", ConfigCase.class, ConfigCase::word);
        }
    }
}
