package io.baton.cli;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What the tests of {@code baton lock} and {@code baton elect} share: a server, a directory for what commands write, and a log in it. */
public final class RunFixture {

    private final TestStore store;
    private final Path directory;

    /** On this server, with what is written in this directory. */
    public RunFixture(TestStore store, Path directory) {
        this.store = store;
        this.directory = directory;
    }

    /** The store. */
    public String uri() {
        return store.uri("cli");
    }

    /** A coordinator on it, which gives a busy machine time. */
    public Coordinator connect() throws InterruptedException {
        return Coordinator.connect(
                uri(),
                CoordinatorOptions.builder()
                        .connectTimeout(Duration.ofMinutes(1))
                        .build());
    }

    /** {@code baton lock ARGS}, with the store in the environment; {@code $LOG} is the log. */
    public BatonProcess lock(String... args) {
        return run("lock", args);
    }

    /** The same, as one of many: see {@link BatonProcess#startPolitely}. */
    public BatonProcess lockPolitely(String... args) {
        return BatonProcess.startPolitely(directory, environment(), line("lock", args));
    }

    /** {@code baton elect ARGS}, likewise. */
    public BatonProcess elect(String... args) {
        return run("elect", args);
    }

    /** {@code baton VERB ARGS}, likewise. */
    public BatonProcess run(String verb, String... args) {
        return BatonProcess.start(directory, environment(), line(verb, args));
    }

    /** The same, as a job of a shell that has job control. */
    public BatonProcess lockAsJob(String... args) {
        return BatonProcess.startJob(directory, environment(), line("lock", args));
    }

    /** The commands that run, of whatever {@link #run} has started, and what these have started. */
    public List<Long> commands() {
        return Processes.with("LOG=" + log(), "BATON_FENCING_TOKEN=");
    }

    /** Waits until nothing runs of what {@link #run} has started: baton, watchdog, or command. */
    public void awaitNothingRuns() {
        await().atMost(30, SECONDS)
                .untilAsserted(() -> assertThat(Processes.with("LOG=" + log())).isEmpty());
    }

    private Map<String, String> environment() {
        return Map.of("BATON_CONNECT", uri(), "LOG", log().toString());
    }

    private static List<String> line(String verb, String... args) {
        var line = new ArrayList<>(List.of(verb));
        line.addAll(List.of(args));
        return line;
    }

    /** What commands have written to {@code $LOG} so far. */
    public List<String> logged() {
        try {
            return Files.exists(log()) ? Files.readAllLines(log()) : List.of();
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    /** Waits until the log has this many lines. */
    public List<String> awaitLogged(int lines) {
        return await().atMost(30, SECONDS).until(this::logged, all -> all.size() >= lines);
    }

    /** Waits until this process has ended. */
    public static void awaitGone(String pid) {
        Processes.awaitGone(Long.parseLong(pid));
    }

    private Path log() {
        return directory.resolve("log");
    }
}
