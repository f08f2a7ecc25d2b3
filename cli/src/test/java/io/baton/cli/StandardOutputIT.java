package io.baton.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is printed where it cannot be written. */
class StandardOutputIT {

    private static TestStore store;

    @TempDir
    Path directory;

    @BeforeAll
    static void start() {
        store = TestStore.zookeeper();
        Captured set = Captured.run("config", "set", "--timeout", "2m", "--connect", store.uri("cli"), "k", "v");
        assertThat(set.status()).as(set.err()).isZero();
    }

    @AfterAll
    static void stop() {
        store.close();
    }

    /** One that prints once, one that ends when it cannot print any more, and the help. */
    static Stream<List<String>> commands() {
        String uri = store.uri("cli");
        return Stream.of(
                List.of("config", "export", "--timeout", "2m", "--connect", uri),
                List.of("config", "watch", "--timeout", "2m", "--connect", uri),
                List.of("--help"));
    }

    @ParameterizedTest
    @MethodSource("commands")
    void run_diskIsFull_isAStatusOfItsOwn(List<String> command) throws InterruptedException {
        try (BatonProcess baton = BatonProcess.startInShell(directory, "\"$@\" >/dev/full", command)) {
            assertThat(baton.statusWithin(180)).isEqualTo(Exit.CANNOT_WRITE);
            assertThat(baton.err()).isEqualTo("baton: cannot write to stdout\n");
        }
    }

    @ParameterizedTest
    @MethodSource("commands")
    void run_readerHasGone_isNoFailure(List<String> command) throws InterruptedException {
        String script = "{ \"$@\"; echo $? >&2; } | true";
        try (BatonProcess baton = BatonProcess.startInShell(directory, script, command)) {
            assertThat(baton.statusWithin(180)).isZero();
            assertThat(baton.err()).isEqualTo("0\n");
        }
    }
}
