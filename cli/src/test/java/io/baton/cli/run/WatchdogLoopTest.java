package io.baton.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.cli.Processes;
import io.baton.cli.StuckStderr;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class WatchdogLoopTest {

    private static final Duration GRACE = Duration.ofMillis(200);

    /** Says its number; SIGTERM does not end it. */
    private static final String STUBBORN =
            "trap '' TERM; echo $$ >\"$0.new\"; mv \"$0.new\" \"$0\"; sleep 100 & wait; wait";

    /** Ends with SIGTERM; the rest of it does not. */
    private static final String RESTLESS =
            "sh -c \"trap '' INT TERM; echo \\$\\$ >'$0.new'; mv '$0.new' '$0'; sleep 100 & wait; wait\" & wait";

    /** Says its number, and later that it was sent SIGTERM, which does not end it. */
    private static final String ROLLING_BACK = "sh -c 'trap \"echo >$0.term\" TERM; (trap \"\" TERM; exec sleep 100) &"
            + " echo $$ >\"$0.new\"; mv \"$0.new\" \"$0\"; wait; wait; wait' \"$0\"";

    @TempDir
    Path directory;

    private LinkedBlockingQueue<String> inbox = new LinkedBlockingQueue<>();

    /** As with a pipe that is full, or a terminal that was stopped. */
    @Test
    void batonEnds_nobodyReadsStderr_commandIsKilledAllTheSame() throws Exception {
        try (StuckStderr stuck = StuckStderr.begin()) {
            assertThat(stuck).isNotNull();
            watch(STUBBORN, (started, said) -> inbox.add(WatchdogLoop.GONE));
        }
    }

    /** The outer baton, which has killed it, has given the command its grace. */
    @Test
    void batonEnds_belongsToTheCommandOfAnother_commandIsKilledAtOnce() throws Exception {
        try (Killer killer = Killer.start()) {
            watch(ROLLING_BACK + " & wait", killer, true, (started, said) -> inbox.add(WatchdogLoop.GONE));
        }
        assertThat(directory.resolve("number.term")).doesNotExist();
    }

    /** The command ends with the first signal, and what it has started ignores them. */
    @Test
    void secondSignal_whatTheCommandStartedIgnoresIt_isKilledAfterTheGrace() throws Exception {
        watch(RESTLESS, (started, said) -> {
            inbox.add("signal INT");
            inbox.add("signal TERM");
            Processes.awaitGone(started);
            inbox.add("signal INT");
            assertThat(lastOf(said)).matches("exited 1\\d\\d false");
            inbox.add("done");
        });
    }

    @Test
    void done_whatTheCommandStartedStillRuns_isKilled() throws Exception {
        watch(RESTLESS, (started, said) -> {
            inbox.add("signal TERM");
            Processes.awaitGone(started);
            inbox.add("done");
        });
    }

    /** As a service manager does, which sends it to all processes; baton passes it on a moment later. */
    @Test
    void signal_hasEndedTheCommandBeforeItIsPassedOn_whatItStartedIsWaitedFor() throws Exception {
        signalledFromOutside(ROLLING_BACK + " & wait", 143);
    }

    /** The command has a status of its own for the signal. */
    @Test
    void signal_commandHasEndedItselfBeforeItIsPassedOn_whatItStartedIsWaitedFor() throws Exception {
        signalledFromOutside("trap 'exit 0' TERM; " + ROLLING_BACK + " & wait", 0);
    }

    private void signalledFromOutside(String script, int status) throws Exception {
        inbox = new LinkedBlockingQueue<>() {
            @Override
            public boolean add(String message) {
                return super.add(message) && (!message.equals("exited") || super.add("signal TERM"));
            }
        };
        watch(script, (started, said) -> {
            assertThat(ProcessHandle.of(started).orElseThrow().destroy()).isTrue();
            CompletableFuture<String> next = CompletableFuture.supplyAsync(said::next);
            Path told = directory.resolve("number.term");
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> Files.exists(told) || next.isDone());
            assertThat(next).isNotDone();

            end(number());
            assertThat(next.get(60, TimeUnit.SECONDS)).isEqualTo("exited " + status + " false");
            assertThat(Processes.running(number())).isFalse();
            inbox.add("done");
        });
    }

    @Test
    void commandEnds_noSignal_whatItStartedIsNotWaitedFor() throws Exception {
        watch(ROLLING_BACK + " & until [ -e \"$0\" ]; do sleep 0.1; done", (started, said) -> {
            assertThat(said.next()).isEqualTo("exited 0 false");
            assertThat(Processes.running(number())).isTrue();
            inbox.add("done");
            end(number());
        });
    }

    /** As a script that ends with {@code kill $helper; wait $helper}, and leaves another process on purpose. */
    @Test
    void commandEndsWithTheStatusOfASignal_batonGetsNone_whatItStartedIsNotWaitedForAfterTheGrace() throws Exception {
        watch(ROLLING_BACK + " & until [ -e \"$0\" ]; do sleep 0.1; done; exit 143", (started, said) -> {
            assertThat(said.next()).isEqualTo("exited 143 false");
            assertThat(Processes.running(number())).isTrue();
            inbox.add("done");
            end(number());
        });
    }

    /** As a process of another user, which no signal of ours reaches. */
    @Test
    void end_whatTheCommandStartedCannotBeEnded_isReportedAndWaitedFor() throws Exception {
        try (Killer powerless =
                new Killer(new ProcessBuilder("sh", "-c", "while read -r order; do echo sent; done").start())) {
            watch(RESTLESS, powerless, false, (started, said) -> {
                inbox.add("end");
                inbox.add("deadline " + System.nanoTime());
                assertThat(said.next()).isEqualTo("killing");
                String stuck = said.next();
                assertThat(stuck).startsWith("stuck ");
                ProcessHandle survivor = ProcessHandle.of(number()).orElseThrow();
                assertThat(survivor.isAlive()).isTrue();
                assertThat(stuck).isNotEqualTo("stuck " + started);

                end(survivor.pid());
                assertThat(lastOf(said)).isEqualTo("exited 137 true");
                assertThat(Processes.running(survivor.pid())).isFalse();
                inbox.add("done");
            });
        }
    }

    @Test
    void end_commandIsKilledInTime_isKilledOnce() throws Exception {
        watch(STUBBORN, (started, said) -> {
            inbox.add("deadline " + System.nanoTime());
            int kills = 0;
            int survived = 0;
            String line = said.next();
            while (line != null && !line.startsWith("exited ")) {
                kills += line.equals("killing") ? 1 : 0;
                survived += line.startsWith("stuck ") ? 1 : 0;
                line = said.next();
            }
            assertThat(line).isEqualTo("exited 137 true");
            assertThat(kills).isBetween(1, survived + 1);
            inbox.add("done");
        });
    }

    /** As with a process that waits for a device for a while. */
    @Test
    void end_whatTheCommandStartedCannotBeEndedForAWhile_isKilledAgainAndReportedAgain() throws Exception {
        Path can = directory.resolve("can");
        String shell = "while read -r signal pid; do [ -e '" + can + "' ] && kill -s $signal -- -$pid; echo sent; done";
        try (Killer powerless = new Killer(new ProcessBuilder("sh", "-c", shell).start())) {
            watch(RESTLESS, powerless, false, (started, said) -> {
                inbox.add("end");
                inbox.add("deadline " + System.nanoTime());
                for (int report = 0; report < 2; report++) {
                    assertThat(said.next()).isEqualTo("killing");
                    assertThat(said.next()).startsWith("stuck ");
                }

                Files.createFile(can);
                assertThat(lastOf(said)).isEqualTo("exited 137 true");
                inbox.add("done");
            });
        }
    }

    /** Skips what the watchdog says while it kills. */
    private static String lastOf(LineChannel said) {
        String line = said.next();
        while (line != null && (line.equals("killing") || line.startsWith("stuck "))) {
            line = said.next();
        }
        return String.valueOf(line);
    }

    private void watch(String script, Course course) throws Exception {
        try (Killer killer = Killer.start()) {
            watch(script, killer, false, course);
        }
    }

    /**
     * Runs a script until it has written its number, and until the loop has ended and so has the process of that
     * number.
     */
    private void watch(String script, Killer killer, boolean inner, Course course) throws Exception {
        inbox.add("start " + (System.nanoTime() + Duration.ofMinutes(2).toNanos()) + " 1");
        try (WatchdogSocket socket = WatchdogSocket.open();
                LineChannel there = WatchdogSocket.to(socket.directory());
                LineChannel here = socket.accept()) {
            List<String> command = List.of("sh", "-c", script, file().toString());
            Thread loop = new Thread(
                    () -> run(new WatchdogLoop(there, inbox, GRACE, command, StatusFile.at(""), killer, inner), there));
            loop.start();
            assertThat(here.next()).startsWith("ready");
            String started = here.next();
            assertThat(started).startsWith("started ");
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> Files.exists(file()));

            course.run(Long.parseLong(started.substring("started ".length())), here);

            Processes.awaitGone(number());
            loop.join();
        }
    }

    private static void end(long number) {
        ProcessHandle process = ProcessHandle.of(number).orElseThrow();
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        assertThat(process.destroyForcibly()).isTrue();
    }

    private Path file() {
        return directory.resolve("number");
    }

    private long number() throws IOException {
        return Long.parseLong(Files.readString(file()).strip());
    }

    private static void run(WatchdogLoop loop, LineChannel there) {
        try (there) {
            loop.run();
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
        }
    }

    /** What happens to a command that runs. */
    private interface Course {

        /**
         * Lets it happen.
         *
         * @param started the number of the command
         * @param said what the watchdog says then
         */
        void run(long started, LineChannel said) throws Exception;
    }
}
