package io.baton.zookeeper;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.Hold;
import io.baton.HoldState;
import io.baton.Item;
import io.baton.Position;
import io.baton.RecordsListener;
import io.baton.SessionLostException;
import io.baton.testkit.LongRun;
import io.baton.testkit.zookeeper.Contents;
import io.baton.testkit.zookeeper.ZooKeeperExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Coordinators that are opened, used and closed over and over leave nothing behind, here or on the server. */
class LeftoversIT {

    private static final int ROUNDS = Integer.getInteger("baton.leftovers.rounds", LongRun.rounds(100, 1_000));
    private static final int AT_A_TIME = 4;
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

    @RegisterExtension
    static final ZooKeeperExtension zookeeper = new ZooKeeperExtension();

    /** What there is, here and on the server. */
    private record Held(Contents server, int threads, long descriptors) {}

    @Test
    @Timeout(600)
    @EnabledOnOs(OS.LINUX) // where descriptors can be counted
    void close_withHoldsAndWaiters_leavesNoThreadWatchNodeOrDescriptor() throws Exception {
        rounds(5 * AT_A_TIME); // whatever is made once and kept, is made now
        settle();
        Held before = held();

        rounds(ROUNDS);

        await().atMost(60, SECONDS).untilAsserted(() -> {
            settle();
            Held after = held();
            // Fewer nodes: the server takes idle lines away by itself.
            assertThat(after.server().nodes())
                    .isLessThanOrEqualTo(before.server().nodes());
            assertThat(after.server().ephemerals()).isZero();
            assertThat(after.server().watches()).isZero();
            assertThat(after.threads()).isLessThanOrEqualTo(before.threads());
            // What is made once and kept may have been made late; what a round leaves behind shows a thousandfold.
            assertThat(after.descriptors()).isLessThanOrEqualTo(before.descriptors() + 3);
        });
        System.out.println(ROUNDS + " rounds of opening and closing: before " + before + ", after " + held());
    }

    /** Several at a time, as the client library takes a tenth of a second to close. */
    private static void rounds(int number) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(AT_A_TIME);
        try {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < AT_A_TIME; i++) {
                String lock = "orders-" + i;
                running.add(threads.submit(() -> {
                    for (int round = 0; round < number / AT_A_TIME; round++) {
                        round(lock);
                    }
                    return null;
                }));
            }
            for (Future<?> one : running) {
                one.get();
            }
        } finally {
            threads.shutdown();
        }
    }

    private static void round(String lock) throws Exception {
        CompletableFuture<Hold> waiting;
        CompletableFuture<Hold> waitingFurther;
        Hold hold;
        try (Coordinator baton = Coordinator.connect(zookeeper.uri())) {
            hold = baton.lock(lock).acquire();
            waiting = baton.lock(lock).acquireAsync();
            waitingFurther = baton.lock(lock).acquireAsync();
            var unused = baton.records("stock").observe("", new Deaf());
            baton.records("stock").put(lock, "1".getBytes(UTF_8));
            await().pollInterval(Duration.ofMillis(1))
                    .until(() -> baton.lock(lock).queue().size() == 3);
        }
        assertThat(hold.state()).isIn(HoldState.RELEASED, HoldState.LOST);
        for (CompletableFuture<Hold> each : List.of(waiting, waitingFurther)) {
            assertThatThrownBy(() -> each.get(30, SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(SessionLostException.class);
        }
    }

    /** Closes what only the collector can close. */
    private static void settle() {
        System.gc();
    }

    private static Held held() throws IOException {
        return new Held(zookeeper.server().contents(), clientThreads(), connections());
    }

    /** Sockets, pipes, selectors; files are the server's, which is in this JVM, too. */
    private static long connections() throws IOException {
        try (Stream<Path> descriptors = Files.list(DESCRIPTORS)) {
            return descriptors.filter(each -> !leadsTo(each).startsWith("/")).count();
        }
    }

    private static String leadsTo(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException closedMeanwhile) {
            return "/";
        }
    }

    /** The server has its threads in a group of their own, and starts some when it likes; and somebody calls us. */
    private static int clientThreads() {
        return (int) Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !thread.getName().startsWith("awaitility"))
                .map(Thread::getThreadGroup)
                .filter(group -> group == null || !group.getName().startsWith("zookeeper-"))
                .count();
    }

    private static final class Deaf implements RecordsListener {
        @Override
        public void snapshot(Map<String, Item> all, Position at) {}

        @Override
        public void changed(List<Item> put, List<String> gone, long revision) {}
    }
}
