package io.baton.cli.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.Hold;
import io.baton.Records;
import io.baton.cli.BatonProcess;
import io.baton.cli.Captured;
import io.baton.cli.RunFixture;
import io.baton.cli.TestStore;
import io.baton.cli.elect.Operator;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReleaseRequestCommandIT {

    /** Without the shell's own lines about what it has started. */
    private static final String WORK = "exec 2>/dev/null; "
            + "trap 'echo asked >>\"$LOG\"; kill $!; exit 3' TERM; sleep 1000 & echo started >>\"$LOG\"; wait";

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @TempDir
    Path directory;

    private RunFixture fixture;
    private TestStore store;

    @BeforeAll
    void startServer() {
        store = TestStore.zookeeper();
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
    void release_commandUnderALock_endsItAndReleases() throws Exception {
        Path status = directory.resolve("status");
        try (Coordinator next = fixture.connect();
                BatonProcess baton = fixture.lock(
                        "--on-release-request",
                        "release",
                        "--status-file",
                        status.toString(),
                        "nightly",
                        "--",
                        "sh",
                        "-c",
                        WORK)) {
            fixture.awaitLogged(1);
            Captured asked = run("nightly", "--reason", "noon");
            assertThat(asked.status()).as(asked.err()).isZero();
            assertThat(asked.out()).isEqualTo("'nightly': released\n");
            assertThat(fixture.logged()).containsExactly("started", "asked");
            try (Hold hold = next.lock("nightly").acquire()) {
                assertThat(hold.remaining()).isPositive();
            }
            assertThat(baton.status()).isEqualTo(79);
            String why = " released on request of " + Operator.currentUser() + " (noon)";
            assertThat(baton.err())
                    .isEqualTo("baton: 'nightly' is being" + why + ": SIGTERM to the command\nbaton: 'nightly' was"
                            + why + " while the command ran; the command has been ended\n");
            assertThat(status).content().contains("verdict=handed-over\nstatus=79\ncommand=3\n");
        }
    }

    @Test
    @Tag("long")
    void request_refusedUnansweredOrFree_saysSoWithAStatusOfItsOwn() throws Exception {
        try (BatonProcess baton = fixture.lock("--on-release-request", "refuse", "exclusive", "--", "sh", "-c", WORK)) {
            fixture.awaitLogged(1);
            Captured refused = run("exclusive", "--reason", "noon");
            assertThat(refused.status()).as(refused.err()).isEqualTo(77);
            assertThat(refused.out())
                    .isEqualTo("'exclusive': refused: it runs a command with --on-release-request refuse\n");
            baton.signal("TERM");
            assertThat(baton.status()).isEqualTo(3);
            assertThat(baton.err())
                    .isEqualTo("baton: 'exclusive': refused the request of " + Operator.currentUser()
                            + " (noon) to release it\n");
        }
        Captured free = run("exclusive", "--reason", "noon");
        assertThat(free.status()).isEqualTo(1);
        assertThat(free.out()).isEqualTo("'exclusive': no process holds it\n");
        try (Coordinator deaf = fixture.connect();
                Hold hold = deaf.lock("exclusive").acquire()) {
            Captured none = run("exclusive", "--reason", "noon", "--timeout", "2s");
            assertThat(none.status()).isEqualTo(75);
            assertThat(none.out()).startsWith("'exclusive': no answer within 2s: ");
            assertThat(deaf.records("baton.releases").list("")).isEmpty();
            assertThat(hold.remaining()).isPositive();
        }
    }

    @Test
    void request_endedByASignal_isShownUntilItIsWithdrawn() throws Exception {
        try (Coordinator deaf = fixture.connect();
                Hold hold = deaf.lock("deaf").acquire();
                BatonProcess asking = fixture.run("release-request", "--timeout", "10m", "--reason", "noon", "deaf")) {
            Records requests = deaf.records("baton.releases");
            await().atMost(PATIENCE).until(() -> !requests.list("").isEmpty());
            String who = Operator.currentUser();
            assertThat(Captured.run("queue", "--connect", fixture.uri(), "deaf").out())
                    .startsWith("'deaf': one holds it, nobody waits\n" + who + " asks for its release, since ")
                    .contains("): noon\n");
            assertThat(Captured.run("queue", "--connect", fixture.uri(), "--json", "deaf")
                            .out())
                    .contains(
                            ",\"releaseRequest\":{\"token\":" + hold.token() + ",\"by\":\"" + who + "\",\"since\":\"20")
                    .contains("\",\"reason\":\"noon\"},\"queue\":[{");

            asking.signal("TERM");

            assertThat(asking.status()).isEqualTo(143);
            assertThat(asking.err()).isEqualTo("baton: the request is being withdrawn\n");
            assertThat(requests.list("")).isEmpty();
            assertThat(hold.remaining()).isPositive();
        }
    }

    private Captured run(String... args) {
        var line = new ArrayList<>(List.of("release-request", "--connect", fixture.uri()));
        line.addAll(List.of(args));
        return Captured.run(line.toArray(String[]::new));
    }
}
