package io.baton.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.baton.testkit.zookeeper.LocalZooKeeper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever is wrong: one line that says what, the right status, and never a stack trace. */
class BadInputIT {

    private static final long SOON = Duration.ofSeconds(30).toNanos();

    private static LocalZooKeeper stingy;
    private static ServerSocket silent;

    @TempDir
    Path directory;

    @BeforeAll
    static void start() throws IOException {
        stingy = LocalZooKeeper.builder()
                .maxSessionTimeout(Duration.ofMillis(500))
                .start();
        silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }

    @AfterAll
    static void stop() throws IOException {
        stingy.close();
        silent.close();
    }

    /** No such command makes sense. The status, what the line says, and the options and the name before {@code -- true}. */
    static Stream<Arguments> mistakes() {
        return Stream.of(
                bad(64, "a name must not be empty", ""),
                bad(64, "1024 UTF-8 bytes; this one has 100000", "x".repeat(100_000)),
                bad(64, "redis", "--connect", "redis://h:1/app", "x"),
                bad(64, "no servers", "--connect", "zk:///app", "x"),
                bad(64, "cannot read the store URI", "--connect", "zk://h:1/\u001b[31m", "x"),
                bad(64, "'h:99999' is not host:port", "--connect", "zk://h:99999/app", "x"),
                bad(64, "the options are tick=2s", "--connect", "zk://h:1/app?tock=2s", "x"),
                bad(64, "--dialect goes with --at", "--dialect", "kazoo", "x"),
                bad(64, "'--dialect'", "--at", "/x", "--dialect", "redis", "x"),
                bad(64, "must begin with '/'", "--at", "a/b", "x"),
                bad(64, "'.' or '..'", "--at", "/a/../b", "x"),
                bad(64, "control characters: '/a?[31mb'", "--at", "/a\u001b[31mb", "x"),
                bad(64, "unknown option '--tiemout'; did you mean '--timeout'?", "--tiemout", "1s", "x"),
                bad(64, "'--timeout'", "--timeout", "0s", "x"),
                bad(64, "'--timeout'", "--timeout", "-1s", "x"));
    }

    /** No such store can be used. */
    static Stream<Arguments> unreachable() {
        String mute = "127.0.0.1:" + silent.getLocalPort();
        return Stream.of(
                bad(69, "127.0.0.1:1", "--connect", "zk://127.0.0.1:1/app", "--timeout", "300ms", "x"),
                bad(69, "no-such-host.invalid", "--connect", "zk://no-such-host.invalid/app", "--timeout", "1s", "x"),
                bad(69, mute, "--connect", "zk://" + mute + "/app", "--timeout", "1s", "../x"));
    }

    static Stream<Arguments> lockOnly() {
        return Stream.of(
                bad(64, "500 ms cannot work", "--connect", stingy.uri("a"), "--ttl", "10s", "x"),
                bad(64, "'--grace'", "--grace", "2", "x"),
                bad(64, "there is no directory", "--status-file", "/nowhere/status", "x"),
                bad(64, "no regular file", "--status-file", "/dev/null", "x"));
    }

    /** In this JVM, which starts in no time; in a process of its own below. */
    @ParameterizedTest
    @MethodSource("mistakes")
    void lock_badInput_saysWhyInOneLine(int status, String why, String[] args) {
        List<String> line = lock(args);
        if (!line.contains("--connect")) {
            line.addAll(1, List.of("--connect", "zk://127.0.0.1:1/app"));
        }
        long started = System.nanoTime();
        Captured run = Captured.run(line.toArray(String[]::new));
        assertRefused(line, started, run, status, why);
    }

    @ParameterizedTest
    @MethodSource({"unreachable", "lockOnly"})
    void lock_badInputInAProcess_saysWhyInOneLine(int status, String why, String[] args) throws Exception {
        List<String> line = lock(args);
        long started = System.nanoTime();
        try (BatonProcess baton =
                BatonProcess.start(directory, Map.of("BATON_CONNECT", "zk://127.0.0.1:1/app"), line)) {
            var run = new Captured(baton.status(), baton.out(), baton.err());
            assertRefused(line, started, run, status, why);
        }
        try (var left = Files.list(directory)) {
            assertThat(left.filter(Files::isDirectory)).isEmpty();
        }
    }

    /** Names that the JVM cannot tell apart would be one lock. */
    @Test
    void lock_nameIsNotReadableInTheLocale_isRefused() throws Exception {
        String script = "LC_ALL=C \"$@\" \"$(printf '\\303\\274')\" -- true";
        List<String> line = List.of(
                "lock",
                "--connect",
                "zk://127.0.0.1:1/app",
                "--status-file",
                statusFile().toString());
        long started = System.nanoTime();
        try (BatonProcess baton = BatonProcess.startInShell(directory, script, line)) {
            var run = new Captured(baton.status(), baton.out(), baton.err());
            assertRefused(line, started, run, 64, "Java cannot read in this locale: set LC_ALL");
        }
    }

    private List<String> lock(String... args) {
        var line = new ArrayList<>(List.of("lock"));
        if (!List.of(args).contains("--status-file")) {
            line.addAll(List.of("--status-file", statusFile().toString()));
        }
        line.addAll(List.of(args));
        line.addAll(List.of("--", "true"));
        return line;
    }

    private void assertRefused(List<String> line, long started, Captured run, int status, String why) {
        assertRefused(started, run, status, why);
        if (line.contains(statusFile().toString())) {
            String verdict = status == 64 ? "usage" : "unreachable";
            assertThat(statusFile()).content().startsWith("verdict=" + verdict + "\nstatus=" + status + "\ncommand=\n");
            assertThat(statusFile()).content().contains("message=").hasLineCount(5);
        }
    }

    private Path statusFile() {
        return directory.resolve("status");
    }

    @ParameterizedTest
    @MethodSource({"mistakes", "unreachable"})
    void queue_badInput_saysWhyInOneLine(int status, String why, String[] args) {
        var line = new ArrayList<>(List.of("queue"));
        if (!List.of(args).contains("--connect")) {
            line.addAll(List.of("--connect", "zk://127.0.0.1:1/app"));
        }
        line.addAll(List.of(args));
        long started = System.nanoTime();
        assertRefused(started, Captured.run(line.toArray(String[]::new)), status, why);
    }

    private static void assertRefused(long started, Captured run, int status, String why) {
        assertThat(run.status()).as(run.err()).isEqualTo(status);
        assertThat(System.nanoTime() - started).isLessThan(SOON);
        assertOneLine(run.err(), why);
        assertThat(run.out()).isEmpty();
    }

    private static void assertOneLine(String said, String why) {
        assertThat(said).startsWith("baton: ").contains(why).hasLineCount(1).hasSizeLessThan(1_000);
        assertThat(said.strip()).matches("\\p{Print}*");
    }

    static Arguments bad(int status, String why, String... args) {
        return arguments(status, why, args);
    }
}
