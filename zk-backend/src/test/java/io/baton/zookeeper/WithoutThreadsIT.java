package io.baton.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Hold;
import io.baton.HoldState;
import io.baton.StoreUnavailableException;
import io.baton.testkit.server.ChildProcess;
import io.baton.testkit.zookeeper.LocalZooKeeper;
import io.baton.zookeeper.wire.OwnHandle;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.client.ZKClientConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A machine that has no threads to give: no session may be kept alive with nobody to end it. */
@Timeout(120)
class WithoutThreadsIT {

    /** So long that nobody else is granted for want of a sign of life. */
    private static final Duration TTL = Duration.ofSeconds(40);

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    /** The stack that each new thread asks for is more than what is left of the process's address space. */
    private static final int STACK_MEGABYTES = 256;

    private static final int SPARE_MEGABYTES = 128;

    /** With a connection that was never made whole, the library would try again ten times a second, and say so. */
    @Test
    void open_oneThreadToBeHad_leavesNothingBehind() throws Exception {
        try (LocalZooKeeper server = LocalZooKeeper.start();
                Holder holder = new Holder(server.uri())) {
            assertThat(holder.hears()).isEqualTo("held");
            holder.awaitRoomFor(1);

            assertThat(holder.asked("open " + server.connectString())).isEqualTo("no threads, 0 half-made");
        }
    }

    @Test
    void close_noThreadToBeHad_endsTheSession() throws Exception {
        try (LocalZooKeeper server = LocalZooKeeper.start();
                Holder holder = new Holder(server.uri())) {
            assertThat(holder.hears()).isEqualTo("held");
            holder.awaitRoomFor(0);

            assertThat(holder.asked("close")).isEqualTo("closed");

            await().atMost(PATIENCE).until(() -> server.requests("closeSession") == 1);
            assertThat(server.contents().ephemerals()).isZero();
        }
    }

    /** Another process, which holds, and goes on when it has closed. */
    private static final class Holder implements AutoCloseable {

        private final Process process;
        private final BufferedReader from;
        private final Writer to;

        Holder(String uri) throws IOException {
            process = ChildProcess.small(
                            Main.class,
                            List.of(
                                    "-Xmx64m",
                                    "-Xlog:disable",
                                    "-Xss" + STACK_MEGABYTES + "m",
                                    "-Dorg.slf4j.simpleLogger.defaultLogLevel=error"),
                            List.of(uri))
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            from = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
            to = process.outputWriter(StandardCharsets.UTF_8);
        }

        String hears() throws IOException {
            return from.readLine();
        }

        String asked(String what) throws IOException {
            to.write(what + "\n");
            to.flush();
            return hears();
        }

        /** A thread that ends after the limit was set makes room for another one. */
        void awaitRoomFor(int threads) {
            await().atMost(PATIENCE).until(() -> {
                limitItsAddressSpace(SPARE_MEGABYTES + threads * STACK_MEGABYTES);
                return asked("threads").equals(Integer.toString(threads));
            });
        }

        private void limitItsAddressSpace(int spareMegabytes) throws Exception {
            long kilobytes = Files.readAllLines(Path.of("/proc", Long.toString(process.pid()), "status")).stream()
                    .filter(line -> line.startsWith("VmSize:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                    .findFirst()
                    .orElseThrow();
            long bytes = kilobytes * 1024 + spareMegabytes * 1024L * 1024;
            Process limiting = new ProcessBuilder("prlimit", "--pid", Long.toString(process.pid()), "--as=" + bytes)
                    .inheritIO()
                    .start();
            assertThat(limiting.waitFor()).isZero();
        }

        @Override
        public void close() {
            process.destroyForcibly();
        }
    }

    /** The other process. */
    static final class Main {

        private Main() {}

        public static void main(String[] args) throws Exception {
            var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            Coordinator coordinator = Coordinator.connect(
                    args[0], CoordinatorOptions.builder().ttl(TTL).build());
            Hold hold = coordinator.lock("orders").acquire();
            System.out.println(hold.state() == HoldState.HELD ? "held" : "not held");
            for (String asked = in.readLine(); asked != null; asked = in.readLine()) {
                String[] words = asked.split(" ");
                System.out.println(
                        switch (words[0]) {
                            case "threads" -> Integer.toString(threads());
                            case "open" -> opened(words[1]);
                            default -> closed(coordinator);
                        });
            }
        }

        /** How many are to be had at once, of two. */
        private static int threads() throws InterruptedException {
            var over = new CompletableFuture<Void>();
            List<Thread> had = new ArrayList<>();
            try {
                for (int i = 0; i < 2; i++) {
                    var one = new Thread(over::join, "one");
                    one.start();
                    had.add(one);
                }
            } catch (OutOfMemoryError noMore) {
                // as expected
            } finally {
                over.complete(null);
            }
            for (Thread one : had) {
                one.join();
            }
            return had.size();
        }

        private static String opened(String hosts) throws IOException {
            long before = senders();
            try {
                OwnHandle opened = OwnHandle.open(hosts, TTL, System::nanoTime, event -> {}, new ZKClientConfig());
                opened.end(ended -> {});
                return "opened";
            } catch (StoreUnavailableException | OutOfMemoryError none) {
                return "no threads, " + (senders() - before) + " half-made";
            }
        }

        private static long senders() {
            return Thread.getAllStackTraces().keySet().stream()
                    .filter(thread -> thread.getName().contains("SendThread"))
                    .count();
        }

        private static String closed(Coordinator coordinator) {
            coordinator.close();
            return "closed";
        }
    }
}
