package io.baton.benchmarks.failover;

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
class FailoverIT {

    @TempDir
    Path raw;

    @Test
    @Tag("long")
    void failover_onZooKeeper_measuresBothSides() throws Exception {
        assertThat(measured("zk"))
                .anyMatch(line -> line.startsWith("zk,resigned,baton,0,"))
                .anyMatch(line -> line.startsWith("zk,resigned,curator,0,"))
                .anyMatch(line -> line.startsWith("zk,handed-over,baton,0,"));
    }

    @Test
    @Tag("long")
    @Tag("etcd")
    void failover_onEtcd_measures() throws Exception {
        assertThat(measured("etcd"))
                .anyMatch(line -> line.startsWith("etcd,resigned,baton,0,"))
                .anyMatch(line -> line.startsWith("etcd,handed-over,baton,0,"));
    }

    private List<String> measured(String store) throws Exception {
        int status = new CommandLine(new FailoverCommand())
                .execute("--store", store, "--rounds", "1", "--raw", raw.toString(), "resigned", "handed-over");

        assertThat(status).isZero();
        try (Stream<Path> files = Files.list(raw)) {
            return Files.readAllLines(files.findFirst().orElseThrow());
        }
    }
}
