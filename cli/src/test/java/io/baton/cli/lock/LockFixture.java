package io.baton.cli.lock;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.cli.BatonProcess;
import io.baton.cli.Processes;
import io.baton.cli.TestStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What the tests of {@code baton lock} share: a server, a directory for what commands write, and a log in it. */
final class LockFixture {

    private final TestStore store;
    private final Path directory;

    LockFixture(TestStore store, Path directory) {
        this.store = store;
        this.directory = directory;
    }

    String uri() {
        return store.uri("cli");
    }

    /** {@code baton lock ARGS}, with the store in the environment; {@code $LOG} is the log. */
    BatonProcess lock(String... args) {
        return BatonProcess.start(directory, environment(), line(args));
    }

    /** The same, as a job of a shell that has job control. */
    BatonProcess lockAsJob(String... args) {
        return BatonProcess.startJob(directory, environment(), line(args));
    }

    /** The commands that run, of whatever {@link #lock} has started, and what these have started. */
    List<Long> commands() {
        return Processes.with("LOG=" + log(), "BATON_FENCING_TOKEN=");
    }

    /** Waits until nothing runs of what {@link #lock} has started: baton, watchdog, or command. */
    void awaitNothingRuns() {
        await().atMost(30, SECONDS)
                .untilAsserted(() -> assertThat(Processes.with("LOG=" + log())).isEmpty());
    }

    private Map<String, String> environment() {
        return Map.of("BATON_CONNECT", uri(), "LOG", log().toString());
    }

    private static List<String> line(String... args) {
        var line = new ArrayList<>(List.of("lock"));
        line.addAll(List.of(args));
        return line;
    }

    /** What commands have written to {@code $LOG} so far. */
    List<String> logged() {
        try {
            return Files.exists(log()) ? Files.readAllLines(log()) : List.of();
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    /** Waits until the log has this many lines. */
    List<String> awaitLogged(int lines) {
        return await().atMost(30, SECONDS).until(this::logged, all -> all.size() >= lines);
    }

    static void awaitGone(String pid) {
        Processes.awaitGone(Long.parseLong(pid));
    }

    private Path log() {
        return directory.resolve("log");
    }
}
