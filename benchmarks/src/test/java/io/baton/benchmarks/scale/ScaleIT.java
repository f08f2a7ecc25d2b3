package io.baton.benchmarks.scale;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * A few hundred waiters, and a line that is too long for ZooKeeper: all are granted in order, no hold is lost, and a
 * hand-off among many takes about as many requests as among few.
 */
@Timeout(600)
class ScaleIT {

    @TempDir
    Path raw;

    @Test
    @Tag("long")
    void scale_waitersOnZooKeeper_meetTheirGoals() throws Exception {
        assertThat(measure("zk", "--case", "waiters")).isZero();

        assertThat(figures())
                .anyMatch(line -> line.startsWith("zk,waiters,"))
                .noneMatch(line -> line.endsWith(",missed"));
    }

    @Test
    @Tag("long")
    void scale_handOffsOnZooKeeper_takeAsManyRequestsAmongMany() throws Exception {
        assertHandOffsTakeAsManyRequestsAmongMany("zk");
    }

    @Test
    @Tag("etcd")
    @Tag("long")
    void scale_handOffsOnEtcd_takeAsManyRequestsAmongMany() throws Exception {
        assertHandOffsTakeAsManyRequestsAmongMany("etcd");
    }

    @Test
    @Tag("long")
    void scale_onZooKeeper_meetsItsGoals() throws Exception {
        assertGoalsMet("zk");
    }

    @Test
    @Tag("etcd")
    @Tag("long")
    void scale_onEtcd_meetsItsGoals() throws Exception {
        assertGoalsMet("etcd");
    }

    private void assertHandOffsTakeAsManyRequestsAmongMany(String store) throws Exception {
        assertThat(measure(store, "--case", "read-write", "readers", "permits")).isZero();

        assertThat(figures()).hasSize(4).noneMatch(line -> line.endsWith(",missed"));
    }

    private void assertGoalsMet(String store) throws Exception {
        int status = measure(store);

        assertThat(figures())
                .hasSize(8)
                .anyMatch(line -> line.startsWith(store + ",waiters,"))
                .anyMatch(line -> line.startsWith(store + ",waiters-processes,"))
                .anyMatch(line -> line.startsWith(store + ",locks,"))
                .anyMatch(line -> line.startsWith(store + ",read-write,"))
                .anyMatch(line -> line.startsWith(store + ",readers,"))
                .anyMatch(line -> line.startsWith(store + ",permits,"))
                .anyMatch(line -> line.startsWith(store + ",long-line,"))
                .noneMatch(line -> line.endsWith(",missed"));
        assertThat(status).isZero();
    }

    private int measure(String store, String... more) {
        // How much time a hold has left depends on what else the machine does; that it is never lost does not.
        List<String> line =
                new ArrayList<>(List.of("--store", store, "--short", "--least", "0.01", "--raw", raw.toString()));
        line.addAll(List.of(more));
        return new CommandLine(new ScaleCommand()).execute(line.toArray(String[]::new));
    }

    private List<String> figures() throws Exception {
        try (Stream<Path> files = Files.list(raw)) {
            return Files.readAllLines(files.filter(file -> file.toString().endsWith(".csv"))
                    .findFirst()
                    .orElseThrow());
        }
    }
}
