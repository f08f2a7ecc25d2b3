package io.baton.cli.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.cli.Exit;
import io.baton.cli.Failure;
import io.baton.memory.MemoryStore;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine;

/** A space whose own record another program has written. */
@Timeout(120)
class WatchCommandTest {

    private final StringWriter printed = new StringWriter();
    private Coordinator baton;

    @BeforeEach
    void open() throws InterruptedException {
        MemoryStore.drop("watch-command");
        baton = Coordinator.connect("mem:watch-command");
    }

    @AfterEach
    void close() {
        baton.close();
        MemoryStore.drop("watch-command");
    }

    private WatchCommand command(String... args) {
        WatchCommand command = new WatchCommand();
        new CommandLine(command).setOut(new PrintWriter(printed, true)).parseArgs(args);
        return command;
    }

    private void write(String key, String text) throws InterruptedException {
        baton.records("config").put(key, text);
    }

    private void awaitPrinted(String text) {
        await().atMost(Duration.ofSeconds(50)).until(() -> printed.toString().contains(text));
    }

    @Test
    void watch_ownRecordUnreadableForAWhile_saysSoAndGoesOn() throws Exception {
        WatchCommand command = command("--count", "1");
        var status = new FutureTask<>(() -> command.watch(baton));
        new Thread(status).start();
        awaitPrinted("following, 0 keys");

        write("$baton", "nonsense");
        awaitPrinted("rejected: change 0, revision ");
        write("a", "1");
        baton.records("config").delete("$baton");

        assertThat(status.get(50, TimeUnit.SECONDS)).isZero();
        assertThat(printed.toString()).contains(": $baton: ", "a: (none) -> 1");
    }

    @Test
    void watch_ownRecordUnreadableFromTheStart_saysSoAtOnce() throws InterruptedException {
        write("$baton", "nonsense");
        WatchCommand command = command("--timeout", "24h");

        assertThatThrownBy(() -> command.watch(baton))
                .hasMessageContaining("$baton cannot be read: ")
                .isInstanceOfSatisfying(
                        Failure.class, failure -> assertThat(failure.status()).isEqualTo(Exit.UNAVAILABLE));
    }
}
