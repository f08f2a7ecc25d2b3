package io.baton.cli.lock;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.Hold;
import io.baton.Released;
import io.baton.cli.BatonProcess;
import io.baton.cli.RunFixture;
import io.baton.cli.TestStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code --status-file} says; what it says when baton is killed is in {@link WatchdogIT}. */
class StatusFileIT {

    @TempDir
    Path directory;

    private TestStore store;
    private RunFixture fixture;
    private Path status;

    @BeforeEach
    void start() {
        store = TestStore.zookeeper();
        fixture = new RunFixture(store, directory);
        status = directory.resolve("status");
    }

    @AfterEach
    void stop() {
        store.close();
    }

    @Test
    @Tag("long")
    void lock_commandFails_tellsItsStatusFromBatons() throws InterruptedException {
        try (BatonProcess baton = lock("x", "--", "sh", "-c", "echo $BATON_FENCING_TOKEN >>\"$LOG\"; exit 75")) {
            assertThat(baton.status()).isEqualTo(75);
            String token = fixture.awaitLogged(1).get(0);
            assertThat(status)
                    .content()
                    .isEqualTo("verdict=command-ended\nstatus=75\ncommand=75\ntoken=" + token + "\nmessage=\n");
        }
    }

    @Test
    void lock_taken_isNotAcquired() throws InterruptedException {
        try (Coordinator other = fixture.connect();
                Hold hold = other.lock("x").acquire();
                BatonProcess baton = lock("--try", "x", "--", "true")) {
            assertThat(baton.status()).isEqualTo(75);
            assertThat(hold.remaining()).isPositive();
            assertThat(status)
                    .content()
                    .startsWith("verdict=not-acquired\nstatus=75\ncommand=\ntoken=\nmessage='x' is taken");
        }
    }

    @Test
    void lock_contactLost_isLostWithTheTokenAndTheStatusOfTheCommand() throws InterruptedException {
        String work = "trap 'kill $!; exit 9' TERM; sleep 1000 & echo >>\"$LOG\"; wait";
        try (BatonProcess baton = lock("--ttl", "3s", "x", "--", "sh", "-c", work)) {
            fixture.awaitLogged(1);
            store.stop();
            assertThat(baton.status()).isEqualTo(79);
            assertThat(status)
                    .content()
                    .matches("(?s)verdict=lost\nstatus=79\ncommand=9\ntoken=\\d+\nmessage='x' was .*");
        }
    }

    @Test
    void lock_noSuchCommand_isNotFound() throws InterruptedException {
        try (BatonProcess baton = lock("x", "--", "no-such-command")) {
            assertThat(baton.status()).isEqualTo(127);
            assertThat(status).content().startsWith("verdict=not-found\nstatus=127\ncommand=\ntoken=\n");
        }
    }

    @Test
    void lock_stillWaiting_saysThatItHasBegunInPlaceOfTheLastVerdict() throws Exception {
        Files.writeString(status, "verdict=command-ended\nstatus=0\ncommand=0\ntoken=1\nmessage=\n");
        try (Coordinator other = fixture.connect()) {
            Hold hold = other.lock("x").acquire();
            try (BatonProcess baton = lock("--timeout", "5m", "x", "--", "true")) {
                await().atMost(30, SECONDS)
                        .until(
                                () -> Files.readString(status),
                                "verdict=started\nstatus=\ncommand=\ntoken=\nmessage=\n"::equals);
                hold.close();
                assertThat(baton.status()).isZero();
                assertThat(status).content().startsWith("verdict=command-ended\nstatus=0\ncommand=0\ntoken=");
            }
        }
    }

    @Test
    void lock_scriptWithoutInterpreter_cannotStartAndIsNoServedHold() throws Exception {
        Path script = Files.writeString(directory.resolve("report"), "#!/bin/sh\r\ntrue\r\n");
        assertThat(script.toFile().setExecutable(true)).isTrue();
        try (BatonProcess baton = lock("--hold-at-least", "1h", "x", "--", script.toString())) {
            assertThat(baton.status()).isEqualTo(126);
            assertThat(status).content().startsWith("verdict=cannot-start\nstatus=126\ncommand=\ntoken=\n");
        }
        try (Coordinator other = fixture.connect()) {
            assertThat(other.lock("x").delays()).isEmpty();
        }
    }

    /** A pipe that is full takes the place of stderr. */
    @Test
    void lock_nobodyReadsStderrAndItsReleaseIsRequested_isReleasedWithItsVerdict() throws Exception {
        Path pipe = directory.resolve("stderr");
        String shell = "mkfifo " + pipe + "; exec 9<>" + pipe + "; dd if=/dev/zero of=" + pipe
                + " bs=4096 oflag=nonblock; exec \"$@\" 2>" + pipe;
        String work = "trap 'exit 3' TERM; sleep 1000 & echo >\"$0\"; wait";
        Path up = directory.resolve("up");
        List<String> line = List.of(
                "lock",
                "--connect",
                fixture.uri(),
                "--on-release-request",
                "release",
                "--status-file",
                status.toString(),
                "x",
                "--",
                "sh",
                "-c",
                work,
                up.toString());
        try (BatonProcess baton = BatonProcess.startInShell(directory, shell, line);
                Coordinator other = fixture.connect()) {
            await().atMost(60, SECONDS).until(() -> Files.exists(up));
            Released released = other.lock("x")
                    .requestRelease("noon", Duration.ofSeconds(60))
                    .get(90, SECONDS);
            assertThat(released.outcome()).isEqualTo(Released.Outcome.RELEASED);
            try (Hold next = other.lock("x").acquire()) {
                assertThat(next.remaining()).isPositive();
            }
            await().atMost(60, SECONDS)
                    .until(() -> Files.readString(status).startsWith("verdict=handed-over\nstatus=79\ncommand=3\n"));
            assertThat(baton.alive()).as("waits for its message to be read").isTrue();
        }
    }

    private BatonProcess lock(String... args) {
        String[] line = new String[args.length + 2];
        line[0] = "--status-file";
        line[1] = status.toString();
        System.arraycopy(args, 0, line, 2, args.length);
        return fixture.lock(line);
    }
}
