package io.baton.cli.lock;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.cli.BatonProcess;
import io.baton.cli.RunFixture;
import io.baton.cli.TestStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** What is the same whatever the store: the command's own status, streams and signals. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LockProcessIT {

    @TempDir
    Path directory;

    private RunFixture fixture;
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

    @BeforeEach
    void fixture() {
        fixture = new RunFixture(store, directory);
    }

    @Test
    void lock_commandEnds_exitStatusAndStreamsAreItsOwn() throws InterruptedException {
        try (BatonProcess baton =
                fixture.lock("own", "--", "sh", "-c", "echo \"$BATON_NAME\"; echo oops >&2; exit 7")) {
            assertThat(baton.status()).isEqualTo(7);
            assertThat(baton.out()).isEqualTo("own\n");
            assertThat(baton.err()).isEqualTo("oops\n");
        }
    }

    @Test
    void lock_localeChangedForJava_isTheCommandsOwnAgain() throws InterruptedException {
        List<String> print = List.of("sh", "-c", "echo \"${LC_ALL-none} ${BATON_LC_ALL-none}\"");
        for (String before : List.of("", "C")) {
            var line = new ArrayList<>(List.of("lock", "--connect", fixture.uri(), "locale", "--"));
            line.addAll(print);
            try (BatonProcess baton =
                    BatonProcess.start(directory, Map.of("LC_ALL", "C.UTF-8", "BATON_LC_ALL", before), line)) {
                assertThat(baton.status()).as(baton.err()).isZero();
                assertThat(baton.out()).isEqualTo((before.isEmpty() ? "none" : before) + " none\n");
            }
        }
    }

    @Test
    void lock_commandKilledBySignal_exitIs128AndTheSignal() throws InterruptedException {
        try (BatonProcess baton = fixture.lock("signal", "--", "sh", "-c", "kill -KILL $$")) {
            assertThat(baton.status()).isEqualTo(137);
        }
    }

    @Test
    void lock_sigtermWhileTheCommandRuns_reachesItAndWhatItStartedOnce() throws InterruptedException {
        // After the first one it stays for a moment, so that a second one would be written down, too.
        String work = "trap 'echo term >>\"$LOG\"' TERM; sleep 100 & echo $! >>\"$LOG\"; wait; sleep 0.5; exit 5";
        try (BatonProcess baton = fixture.lock("forward", "--", "sh", "-c", work)) {
            String grandchild = fixture.awaitLogged(1).get(0);
            // Until it has become a sleep it is a copy of the shell, with the trap, and swallows what the shell waits
            // for.
            await().atMost(30, SECONDS).until(() -> arguments(grandchild), List.of("100")::equals);
            baton.signal("TERM");
            assertThat(baton.status()).isEqualTo(5);
            assertThat(fixture.logged()).containsExactly(grandchild, "term");
            RunFixture.awaitGone(grandchild);
            assertThat(baton.err()).doesNotContain("baton:");
        }
    }

    @Test
    void lock_sigtermEndsTheCommandButNotWhatItStarted_isReleasedAfterThat() throws InterruptedException, IOException {
        String stubborn = "trap '' TERM; echo $$ >>\"$LOG\"; until [ -e \"$LOG.end\" ]; do sleep 0.05; done";
        String work = "timeout 100 sh -c \"$0\" & wait";
        try (BatonProcess baton = fixture.lock("rest", "--", "sh", "-c", work, stubborn);
                Coordinator other = fixture.connect()) {
            String grandchild = fixture.awaitLogged(1).get(0);
            baton.signal("TERM");
            await().atMost(60, SECONDS).until(() -> baton.err().contains("what it started has not") || !baton.alive());
            assertThat(baton.alive()).as(baton.err()).isTrue();
            assertThat(other.lock("rest").queue()).hasSize(1);

            Files.createFile(directory.resolve("log.end"));
            assertThat(baton.status()).isEqualTo(128 + 15);
            RunFixture.awaitGone(grandchild);
        }
    }

    /** With the most that is allowed, programs that close all files, or wait for them by select, are slow or fail. */
    @Test
    void lock_limitOfOpenFiles_isThatOfTheCaller() throws InterruptedException {
        List<String> line = List.of("lock", "--connect", fixture.uri(), "files", "--", "sh", "-c", "ulimit -Sn");
        try (BatonProcess baton = BatonProcess.startWithFiles(300, directory, Map.of(), line)) {
            assertThat(baton.status()).as(baton.err()).isZero();
            assertThat(baton.out()).isEqualTo("300\n");
        }
    }

    private static List<String> arguments(String pid) {
        return ProcessHandle.of(Long.parseLong(pid))
                .flatMap(process -> process.info().arguments())
                .map(List::of)
                .orElse(List.of());
    }
}
