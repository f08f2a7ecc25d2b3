package io.baton.cli.lock;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.Coordinator;
import io.baton.Hold;
import io.baton.cli.BatonProcess;
import io.baton.cli.RunFixture;
import io.baton.cli.TestStore;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of the command when the lock does not last. */
class LostLockIT {

    /** Says who it is, and runs until it is ended. */
    private static final String WORK = "sleep 1000 & echo $$ >>\"$LOG\"; wait";

    @TempDir
    Path directory;

    private TestStore store;
    private RunFixture fixture;

    /** Starts what the tests run on. */
    TestStore start() {
        return TestStore.zookeeper();
    }

    @BeforeEach
    void startServer() {
        store = start();
        fixture = new RunFixture(store, directory);
    }

    @AfterEach
    void stopServer() {
        store.close();
    }

    @Test
    void lock_batonFrozenPastItsSession_endsTheCommandAndSaysLost() throws InterruptedException {
        try (BatonProcess baton = fixture.lock("--ttl", "2s", "frozen", "--", "sh", "-c", WORK);
                Coordinator other = fixture.connect()) {
            String child = fixture.awaitLogged(1).get(0);
            baton.signal("STOP");
            try (Hold hold = other.lock("frozen").acquire()) {
                baton.signal("CONT");
                assertThat(baton.status()).isEqualTo(79);
                assertThat(hold.remaining()).isPositive();
            }
            RunFixture.awaitGone(child);
            assertThat(baton.err()).startsWith("baton: 'frozen' was lost").hasLineCount(1);
        }
    }

    @Test
    void lock_contactLost_sendsSigtermBeforeTheDeadline() throws InterruptedException {
        String work = "trap 'echo term >>\"$LOG\"; kill $!; exit 0' TERM; " + WORK;
        try (BatonProcess baton = fixture.lock("--ttl", "3s", "cut", "--", "sh", "-c", work)) {
            String child = fixture.awaitLogged(1).get(0);
            store.stop();
            assertThat(baton.status()).isEqualTo(79);
            assertThat(fixture.logged()).containsExactly(child, "term");
            RunFixture.awaitGone(child);
            // The shell of the command may have its own word on what the signal ended. On a busy machine the place in
            // line may have been lost before.
            List<String> said = baton.err()
                    .lines()
                    .filter(line -> line.startsWith("baton: "))
                    .filter(line -> !line.endsWith("in line again, at its end"))
                    .toList();
            assertThat(said).hasSize(2);
            assertThat(said.get(0))
                    .startsWith("baton: no contact with the store")
                    .endsWith("SIGTERM to the command");
            assertThat(said.get(1)).startsWith("baton: 'cut' was about to be lost");
        }
    }

    @Test
    void lock_commandIgnoresSigterm_isKilledAtTheDeadlineWithWhatItStarted() throws InterruptedException {
        String work = "trap '' TERM; sleep 100 & echo $! >>\"$LOG\"; " + WORK;
        try (BatonProcess baton = fixture.lock("--ttl", "2s", "stubborn", "--", "sh", "-c", work)) {
            List<String> children = fixture.awaitLogged(2);
            store.stop();
            assertThat(baton.status()).isEqualTo(79);
            children.forEach(RunFixture::awaitGone);
        }
    }

    @Test
    void lock_serverRestartsWithinTheSession_commandRunsOn() throws InterruptedException {
        String work = "echo $$ >>\"$LOG\"; while [ ! -e \"$LOG.stop\" ]; do sleep 0.05; done; echo done";
        try (BatonProcess baton = fixture.lock("--ttl", "10s", "blip", "--", "sh", "-c", work)) {
            fixture.awaitLogged(1);
            store.restart();
            try (Coordinator other = fixture.connect()) {
                assertThat(other.lock("blip").tryAcquire()).isEmpty();
            }
            assertThat(directory.resolve("log.stop").toFile().mkdir()).isTrue();
            assertThat(baton.status()).isZero();
            assertThat(baton.out()).isEqualTo("done\n");
            assertThat(baton.err()).isEmpty();
        }
    }
}
