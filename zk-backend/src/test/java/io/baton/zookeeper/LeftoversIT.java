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
import io.baton.RecordsListener;
import io.baton.SessionLostException;
import io.baton.testkit.zookeeper.Contents;
import io.baton.testkit.zookeeper.ZooKeeperExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Coordinators that are opened, used and closed over and over leave nothing behind, here or on the server. */
class LeftoversIT {

    private static final int ROUNDS = Integer.getInteger("baton.leftovers.rounds", 1_000);
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

    @RegisterExtension
    static final ZooKeeperExtension zookeeper = new ZooKeeperExtension();

    /** What there is, here and on the server. */
    private record Held(Contents server, int threads, long descriptors) {}

    @Test
    @Timeout(600)
    @EnabledOnOs(OS.LINUX) // where descriptors can be counted
    void close_withHoldsAndWaiters_leavesNoThreadWatchNodeOrDescriptor() throws Exception {
        for (int i = 0; i < 5; i++) {
            round(); // whatever is made once and kept, is made now
        }
        settle();
        Held before = held();

        for (int i = 0; i < ROUNDS; i++) {
            round();
        }

        await().atMost(60, SECONDS).untilAsserted(() -> {
            settle();
            Held after = held();
            assertThat(after.server()).isEqualTo(before.server());
            assertThat(after.threads()).isLessThanOrEqualTo(before.threads());
            assertThat(after.descriptors()).isLessThanOrEqualTo(before.descriptors());
        });
        System.out.println(ROUNDS + " rounds of opening and closing: before " + before + ", after " + held());
    }

    private static void round() throws Exception {
        CompletableFuture<Hold> waiting;
        CompletableFuture<Hold> waitingFurther;
        Hold hold;
        try (Coordinator baton = Coordinator.connect(zookeeper.uri())) {
            hold = baton.lock("orders").acquire();
            waiting = baton.lock("orders").acquireAsync();
            waitingFurther = baton.lock("orders").acquireAsync();
            baton.records("stock").observe("", new Deaf());
            baton.records("stock").put("item", "1".getBytes(UTF_8));
            await().pollInterval(Duration.ofMillis(1))
                    .until(() -> baton.lock("orders").queue().size() == 3);
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
        try (Stream<Path> descriptors = Files.list(DESCRIPTORS)) {
            return new Held(
                    zookeeper.server().contents(), Thread.getAllStackTraces().size(), descriptors.count());
        }
    }

    private static final class Deaf implements RecordsListener {
        @Override
        public void snapshot(Map<String, Item> all) {}

        @Override
        public void changed(List<Item> put, List<String> gone) {}
    }
}
