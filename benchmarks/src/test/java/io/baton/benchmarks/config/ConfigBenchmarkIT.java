package io.baton.benchmarks.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** That it can be measured; what comes out depends on the machine. */
@Timeout(120)
class ConfigBenchmarkIT {

    @TempDir
    Path raw;

    @Test
    @Tag("long")
    void config_onZooKeeper_measuresAllCasesAndBothSides() throws Exception {
        assertThat(measured("zk"))
                .anyMatch(line -> line.startsWith("zk,set-to-listener-ns,Baton,0,"))
                .anyMatch(line -> line.startsWith("zk,set-to-listener-ns,CuratorCache,0,"))
                .anyMatch(line -> line.startsWith("zk,heap-bytes,CuratorCache,0,"))
                .anyMatch(line -> line.startsWith("zk,rate-lag-worst-ns,Baton,0,"))
                .anyMatch(line -> line.startsWith("zk,last-follower-ns,Baton,0,"));
    }

    @Test
    @Tag("long")
    @Tag("etcd")
    void config_onEtcd_measuresAllCasesAndBothSides() throws Exception {
        assertThat(measured("etcd"))
                .anyMatch(line -> line.startsWith("etcd,set-to-listener-ns,Baton,0,"))
                .anyMatch(line -> line.startsWith("etcd,set-to-listener-ns,jetcd,0,"))
                .anyMatch(line -> line.startsWith("etcd,heap-bytes,jetcd,0,"))
                .anyMatch(line -> line.startsWith("etcd,rate-lag-worst-ns,Baton,0,"))
                .anyMatch(line -> line.startsWith("etcd,last-follower-ns,Baton,0,"));
    }

    private List<String> measured(String store) throws Exception {
        int status =
                new CommandLine(new ConfigBenchmark()).execute("--store", store, "--short", "--raw", raw.toString());

        assertThat(status).isZero();
        try (Stream<Path> files = Files.list(raw)) {
            return Files.readAllLines(files.findFirst().orElseThrow());
        }
    }
}
