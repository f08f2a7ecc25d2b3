package io.baton.cli.run;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.cli.Processes;
import java.io.IOException;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class AbandonedTest {

    /** Ends on SIGTERM only after what it has started has done so, which does not. */
    private static final String FAMILY = "trap '' TERM; sleep 100 & echo ready; wait";

    @Test
    void end_commandNotKnown_endsWhatTheWatchdogHasStartedAndNothingElse() throws Exception {
        String mark = UUID.randomUUID().toString();
        Process ours = marked(mark);
        Process others = marked(mark + "-2");
        try {
            new Abandoned(null, new OrphanProcesses(mark), Signaller::group).end(Duration.ZERO);
            assertKilled(ours);
            assertThat(Processes.with(OrphanProcesses.VARIABLE + "=" + mark + "\0"))
                    .isEmpty();
            assertThat(others.isAlive()).isTrue();
        } finally {
            new OrphanProcesses(mark + "-2").kill();
        }
        assertKilled(others);
    }

    @Test
    void end_commandIgnoresSigterm_isKilledWithItsGroupWhenPatienceEnds() throws Exception {
        String mark = UUID.randomUUID().toString();
        Process command = marked(mark);
        new Abandoned(command.toHandle(), new OrphanProcesses("nobody's"), Signaller::group)
                .end(Duration.ofMillis(200));
        assertKilled(command);
        Processes.with(OrphanProcesses.VARIABLE + "=" + mark).forEach(Processes::awaitGone);
    }

    @Test
    void end_commandHasEndedAndWhatItStartedHasNot_isKilled() throws Exception {
        Process command = marked(UUID.randomUUID().toString());
        ProcessHandle started = command.children().findAny().orElseThrow();
        command.destroyForcibly();
        assertKilled(command);

        var abandoned = new Abandoned(command.toHandle(), new OrphanProcesses("nobody's"), Signaller::group);
        abandoned.end(Duration.ofMillis(10));
        Processes.awaitGone(started.pid());
    }

    @Test
    void survivor_commandNotKnown_isWhatTheWatchdogHasStarted() throws Exception {
        String mark = UUID.randomUUID().toString();
        Process command = marked(mark);
        var abandoned = new Abandoned(null, new OrphanProcesses(mark), Signaller::group);
        assertThat(abandoned.survivor()).isPresent();
        abandoned.end(Duration.ZERO);
        assertKilled(command);
        await().atMost(30, SECONDS).until(abandoned::survivor, OptionalLong::isEmpty);
    }

    /** As a process of another user, which no signal of ours reaches. */
    @Test
    void end_commandCannotBeEnded_isKnownToSurviveUntilItEnds() throws Exception {
        Process command = marked(UUID.randomUUID().toString());
        ProcessHandle started = command.children().findAny().orElseThrow();
        var abandoned = new Abandoned(command.toHandle(), new OrphanProcesses("nobody's"), group -> signal -> {});
        abandoned.end(Duration.ofMillis(10));
        assertThat(abandoned.survivor()).isPresent();

        command.destroyForcibly();
        assertKilled(command);
        assertThat(abandoned.survivor()).hasValue(started.pid());
        started.destroyForcibly();
        await().atMost(30, SECONDS).until(abandoned::survivor, OptionalLong::isEmpty);
    }

    private static void assertKilled(Process process) throws InterruptedException {
        assertThat(process.waitFor(30, SECONDS)).as("has ended").isTrue();
        assertThat(process.exitValue()).isEqualTo(128 + 9);
    }

    private static Process marked(String mark) throws IOException {
        ProcessBuilder builder = new ProcessBuilder("setsid", "sh", "-c", FAMILY);
        builder.environment().put(OrphanProcesses.VARIABLE, mark);
        Process started = builder.start();
        assertThat(started.getInputStream().read()).as("ignores SIGTERM by now").isPositive();
        return started;
    }
}
