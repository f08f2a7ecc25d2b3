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

    @TempDir
    Path directory;

    /** As with a pipe that is full, or a terminal that was stopped. */
    @Test
    void batonEnds_nobodyReadsStderr_commandIsKilledAllTheSame() throws Exception {
        Path number = directory.resolve("number");
        var inbox = new LinkedBlockingQueue<String>();
        inbox.add("start " + (System.nanoTime() + Duration.ofMinutes(2).toNanos()) + " 1");
        var read = new CountDownLatch(1);
        PrintStream before = System.err;
        try (WatchdogSocket socket = WatchdogSocket.open();
                LineChannel there = WatchdogSocket.to(socket.directory());
                LineChannel here = socket.accept();
                Killer killer = Killer.start()) {
            System.setErr(new PrintStream(new Stuck(read), true, StandardCharsets.UTF_8));
            List<String> command = List.of("sh", "-c", STUBBORN, number.toString());
            Thread loop =
                    new Thread(() -> run(new WatchdogLoop(there, inbox, GRACE, command, StatusFile.at(""), killer)));
            loop.start();
            assertThat(here.next()).startsWith("ready");
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> Files.exists(number));

            inbox.add(WatchdogLoop.GONE);

            Processes.awaitGone(Long.parseLong(Files.readString(number).strip()));
            loop.join();
        } finally {
            read.countDown();
            System.setErr(before);
        }
    }

    private static void run(WatchdogLoop loop) {
        try {
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
