package io.baton.cli.ask;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.Subscription;
import io.baton.cli.BatonProcess;
import io.baton.cli.Captured;
import io.baton.cli.TestStore;
import io.baton.recipes.Asking;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AskCommandIT {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private TestStore store;

    /** Starts what the tests run on. */
    TestStore start() {
        return TestStore.zookeeper();
    }

    @BeforeAll
    void startServer() {
        store = start();
    }

    @AfterAll
    void stopServer() {
        store.close();
    }

    @Test
    void ask_served_printsTheAnswer() throws InterruptedException {
        try (Coordinator baton = Coordinator.connect(store.uri("cli"));
                Subscription serving = Asking.named(baton, "stock").serve(question -> {
                    if (question.text().equals("bricks")) {
                        throw new IllegalStateException("no bricks left");
                    }
                    return ("reserved\r\n\u001b[1m" + question.text()).getBytes(UTF_8);
                })) {
            assertThat(run("--id", "order-1", "stock", "a book").out()).isEqualTo("reserved\r\n\u001b[1ma book");
            assertThat(run("--id", "order-1", "--json", "stock", "a book").out())
                    .isEqualTo("{\"id\":\"order-1\",\"answer\":\"reserved\\u000d\\u000a\\u001b[1ma book\"}\n");
            Captured other = run("--id", "order-1", "stock", "another book");
            assertThat(other.status()).isEqualTo(75);
            assertThat(other.err()).contains("on record with another text");
            Captured failed = run("--id", "order-2", "stock", "bricks");
            assertThat(failed.status()).isEqualTo(1);
            assertThat(failed.err()).contains("no bricks left");
            assertThat(run("stock").out())
                    .matches("(?s) +STATE +ATTEMPTS +TOKEN +ID\\R +1 +answered +1 +\\d+ +order-1\\R"
                            + " +2 +failed +1 +\\d+ +order-2\\R");
        }
    }

    @Test
    void ask_nobodyServes_isWithdrawn() throws InterruptedException {
        Captured late = run("--wait", "50ms", "--id", "a", "snapshot", "x");
        assertThat(late.status()).isEqualTo(75);
        assertThat(late.err()).contains("was not answered within 50 ms: no process has begun with it");
        assertThat(run("snapshot").out()).isEqualTo("no question is on record\n");
        assertThat(run("--withdraw", "a", "snapshot").status()).isEqualTo(1);
        try (Coordinator baton = Coordinator.connect(store.uri("cli"))) {
            Asking asking = Asking.named(baton, "snapshot");
            CompletableFuture<byte[]> waiting = asking.askAsync("b", new byte[0], PATIENCE);
            await().atMost(PATIENCE).until(() -> !asking.questions().isEmpty());
            assertThat(run("--json", "snapshot").out())
                    .isEqualTo("{\"questions\":[{\"number\":2,\"id\":\"b\",\"state\":\"asked\",\"attempts\":0,"
                            + "\"token\":0}]}\n");

            assertThat(run("--withdraw", "b", "snapshot").out()).isEqualTo("withdrawn\n");

            assertThat(waiting).failsWithin(PATIENCE);
        }
    }

    @Test
    void ask_endedByASignal_isWithdrawn(@TempDir Path directory) throws InterruptedException {
        try (Coordinator baton = Coordinator.connect(store.uri("cli"));
                BatonProcess asking = BatonProcess.start(
                        directory,
                        Map.of(),
                        List.of("ask", "--connect", store.uri("cli"), "--id", "c", "export", "x"))) {
            Asking questions = Asking.named(baton, "export");
            await().atMost(PATIENCE.multipliedBy(2))
                    .until(() -> !questions.questions().isEmpty());

            asking.signal("TERM");

            assertThat(asking.status()).isEqualTo(143);
            assertThat(asking.err()).contains("question 'c' is withdrawn, unless a process has begun with it");
            assertThat(questions.questions()).isEmpty();
        }
    }

    private Captured run(String... args) {
        var line = new ArrayList<>(List.of("ask"));
        line.addAll(List.of(args));
        line.addAll(List.of("--connect", store.uri("cli")));
        return Captured.run(line.toArray(String[]::new));
    }
}
