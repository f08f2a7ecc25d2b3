package io.baton.etcd;

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
import io.baton.testkit.etcd.EtcdExtension;
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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Coordinators that are opened, used and closed over and over leave nothing behind, here or on the server. */
@Tag("etcd")
class LeftoversIT {

    private static final int ROUNDS = Integer.getInteger("baton.leftovers.rounds", LongRun.rounds(100, 1_000));
    private static final int AT_A_TIME = 4;
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

    @RegisterExtension
    static final EtcdExtension etcd = EtcdExtension.newest();

    /** What there is, here and on the server. */
    private record Held(int keys, int leases, long watches, long streams, int threads, long descriptors) {}

    @Test
    @Timeout(600)
    @EnabledOnOs(OS.LINUX) // where descriptors can be counted
    void close_withHoldsAndWaiters_leavesNoThreadKeyLeaseWatchOrDescriptor() throws Exception {
        rounds(5 * AT_A_TIME); // whatever is made once and kept, is made now
        settle();
        Held before = held();

        rounds(ROUNDS);

        await().atMost(60, SECONDS).untilAsserted(() -> {
            settle();
            Held after = held();
            assertThat(after.keys()).isEqualTo(AT_A_TIME); // the records
            assertThat(after.leases()).isZero();
            assertThat(after.watches()).isZero();
            assertThat(after.streams()).isZero();
            assertThat(after.threads()).isLessThanOrEqualTo(before.threads());
            assertThat(after.descriptors()).isLessThanOrEqualTo(before.descriptors());
        });
        System.out.println(ROUNDS + " rounds of opening and closing: before " + before + ", after " + held());
    }

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
        try (Coordinator baton = Coordinator.connect(etcd.uri())) {
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
        return new Held(
                etcd.server().keys("").size(),
                etcd.server().leases().size(),
                etcd.server().watches(),
                etcd.server().watchStreams(),
                threads(),
                connections());
    }

    /** Sockets, pipes, selectors. */
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

    /** Without those that await, and those that read what a process of etcd's client prints. */
    private static int threads() {
        return (int) Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !thread.getName().startsWith("awaitility")
                        && !thread.getName().startsWith("process reaper")
                        && !thread.getName().startsWith("Keep-Alive-Timer"))
                .count();
    }

    private static final class Deaf implements RecordsListener {
        @Override
        public void snapshot(Map<String, Item> all, Position at) {}

        @Override
        public void changed(List<Item> put, List<String> gone, long revision) {}
    }
}
