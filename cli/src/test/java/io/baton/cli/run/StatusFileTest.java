package io.baton.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.cli.Exit;
import io.baton.cli.Failure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StatusFileTest {

    @TempDir
    Path directory;

    @Test
    void write_readMeanwhile_isAlwaysWhole() throws Exception {
        Path path = directory.resolve("status");
        StatusFile file = StatusFile.at(path.toString());
        Ending one = Ending.commandEnded(0, "1".repeat(40_000));
        Ending two = Ending.batonDied("2".repeat(40_000), OptionalInt.empty());
        file.write(one);
        CompletableFuture<Void> writer = CompletableFuture.runAsync(() -> {
            for (int i = 0; i < 500; i++) {
                file.write(i % 2 == 0 ? two : one);
            }
        });
        while (!writer.isDone()) {
            assertThat(Files.readString(path))
                    .as("one or the other, and all of it")
                    .isIn(one.lines(), two.lines());
        }
        writer.join();
        try (var files = Files.list(directory)) {
            assertThat(files).containsExactly(path);
        }
    }

    @Test
    void begin_fileOfAnEarlierRun_isReplaced() throws Exception {
        Path path = Files.writeString(directory.resolve("status"), "verdict=command-ended\nstatus=0\n");
        StatusFile.at(path.toString()).begin();
        assertThat(path).content().isEqualTo("verdict=started\nstatus=\ncommand=\ntoken=\nmessage=\n");
    }

    @Test
    void begin_cannotBeWritten_isAStatusOfItsOwn() {
        StatusFile file = StatusFile.at(directory.resolve("x".repeat(300)).toString());
        assertThatThrownBy(file::begin)
                .isInstanceOfSatisfying(
                        Failure.class, failure -> assertThat(failure.status()).isEqualTo(Exit.CANNOT_WRITE))
                .hasMessageStartingWith("--status-file: cannot write " + directory);
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void lines_anyEnding_areTheSameFive() {
        assertThat(Ending.commandEnded(7, "697").lines())
                .isEqualTo("verdict=command-ended\nstatus=7\ncommand=7\ntoken=697\nmessage=\n");
        assertThat(Ending.failed(new Failure(Exit.UNAVAILABLE, "no\ncontact\u001b"))
                        .lines())
                .isEqualTo("verdict=unreachable\nstatus=69\ncommand=\ntoken=\nmessage=no; contact\\u001b\n");
    }

    @Test
    void check_whereNothingCanBeWritten_isUsage() {
        assertThatThrownBy(() ->
                        StatusFile.at(directory.resolve("no/status").toString()).check())
                .hasMessageContaining("there is no directory " + directory.resolve("no"));
        assertThatThrownBy(() -> StatusFile.at(directory.toString()).check()).hasMessageContaining("no regular file");
        assertThatThrownBy(() -> StatusFile.at("/dev/null").check()).hasMessageContaining("no regular file");
        StatusFile.at("").check();
    }
}
