package io.baton.benchmarks.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine;

/** That it can be measured, and that each lock excludes; what comes out depends on the machine. */
@Tag("postgres")
@Tag("mariadb")
@Tag("long")
@Timeout(240)
class DatabaseCommandIT {

    @TempDir
    Path raw;

    @ParameterizedTest
    @EnumSource
    void database_shortRounds_measuresAllSides(DatabaseKind kind) throws Exception {
        int status = new CommandLine(new DatabaseCommand())
                .execute(
                        "--store",
                        kind.name(),
                        "--clients",
                        "2",
                        "--rounds",
                        "1",
                        "--round-ms",
                        "100",
                        "--waiters",
                        "2",
                        "--raw",
                        raw.toString());

        assertThat(status).isZero();
        try (Stream<Path> files = Files.list(raw)) {
            List<String> lines = Files.readAllLines(files.findFirst().orElseThrow());
            for (DatabaseSide side : DatabaseSide.values()) {
                assertThat(lines)
                        .anyMatch(line -> line.startsWith(side.name() + ",2,changes/s,1,"))
                        .anyMatch(line -> line.startsWith(side.name() + ",2,idle-commits/s,1,"));
            }
        }
    }
}
