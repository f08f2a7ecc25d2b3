package io.baton.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.cli.Processes;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
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

    @TempDir
    Path directory;

    private final LinkedBlockingQueue<String> inbox = new LinkedBlockingQueue<>();

    /** As with a pipe that is full, or a terminal that was stopped. */
    @Test
    void batonEnds_nobodyReadsStderr_commandIsKilledAllTheSame() throws Exception {
        var read = new CountDownLatch(1);
        PrintStream before = System.err;
        try {
            System.setErr(new PrintStream(new Stuck(read), true, StandardCharsets.UTF_8));
            watch(STUBBORN, started -> inbox.add(WatchdogLoop.GONE), said -> {});
        } finally {
            read.countDown();
            System.setErr(before);
        }
    }

    /** The command ends with the first signal, and what it has started ignores them. */
    @Test
    void secondSignal_whatTheCommandStartedIgnoresIt_isKilledAfterTheGrace() throws Exception {
        watch(
                RESTLESS,
                started -> {
                    inbox.add("signal INT");
                    inbox.add("signal TERM");
                    Processes.awaitGone(started);
                    inbox.add("signal INT");
                },
                said -> {
                    assertThat(said).matches("exited 1\\d\\d false");
                    inbox.add("done");
                });
    }

    @Test
    void done_whatTheCommandStartedStillRuns_isKilled() throws Exception {
        watch(
                RESTLESS,
                started -> {
                    inbox.add("signal TERM");
                    Processes.awaitGone(started);
                    inbox.add("done");
                },
                said -> {});
    }

    /**
     * Runs a script until it has written its number, and until the loop has ended and so has the process of that number.
     *
     * @param then receives the number of the command
     * @param ended receives what the watchdog says next, if anything
     */
    private void watch(String script, LongConsumer then, Consumer<String> ended) throws Exception {
        Path number = directory.resolve("number");
        inbox.add("start " + (System.nanoTime() + Duration.ofMinutes(2).toNanos()) + " 1");
        try (WatchdogSocket socket = WatchdogSocket.open();
                LineChannel there = WatchdogSocket.to(socket.directory());
                LineChannel here = socket.accept();
                Killer killer = Killer.start()) {
            List<String> command = List.of("sh", "-c", script, number.toString());
            Thread loop = new Thread(
                    () -> run(new WatchdogLoop(there, inbox, GRACE, command, StatusFile.at(""), killer), there));
            loop.start();
            assertThat(here.next()).startsWith("ready");
            String started = here.next();
            assertThat(started).startsWith("started ");
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> Files.exists(number));

            then.accept(Long.parseLong(started.substring("started ".length())));
            String said = here.next();
            if (said != null) {
                ended.accept(said);
            }

            Processes.awaitGone(Long.parseLong(Files.readString(number).strip()));
            loop.join();
        }
    }

    private static void run(WatchdogLoop loop, LineChannel there) {
        try (there) {
            loop.run();
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
        }
    }

    /** Takes nothing until it is read. */
    private static final class Stuck extends OutputStream {

        private final CountDownLatch read;

        Stuck(CountDownLatch read) {
            this.read = read;
        }

        @Override
        public void write(int one) {
            try {
                read.await();
            } catch (InterruptedException hurry) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
