package io.baton.examples.partitions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.Hold;
import io.baton.Item;
import io.baton.memory.MemoryStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class PartitionWorkerTest {

    private static final String STORE = "partition-worker";

    @TempDir
    Path directory;

    private Coordinator baton;

    @BeforeEach
    void connect() throws InterruptedException {
        baton = Coordinator.connect("mem:" + STORE);
    }

    @AfterEach
    void close() {
        baton.close();
        MemoryStore.drop(STORE);
    }

    private PartitionWorker worker(OrderHandler handler) {
        return new PartitionWorker(baton, "here", new OrderFiles(directory), handler);
    }

    private void order(String... orders) throws IOException {
        Files.write(directory.resolve("3"), List.of(orders));
    }

    private Optional<String> position() throws InterruptedException {
        return baton.records(PartitionWorker.POSITIONS).get("3").map(Item::text);
    }

    private List<String> handled() throws InterruptedException {
        return baton.records(PartitionWorker.HANDLED).list("").values().stream()
                .map(Item::text)
                .toList();
    }

    @Test
    void handle_throws_isCalledAgainUnderAnotherHold() throws Exception {
        order("first", "second");
        BlockingQueue<Long> tokens = new LinkedBlockingQueue<>();
        var failed = new AtomicBoolean();
        OrderHandler handler = (order, hold) -> {
            tokens.add(hold.token());
            if (!failed.getAndSet(true)) {
                throw new IllegalStateException("a failure on purpose");
            }
            return order.text();
        };
        try (PartitionWorker worker = worker(handler)) {
            await().until(() -> position().equals(Optional.of("2")));
            assertThat(handled()).containsExactly("first", "second");
            assertThat(tokens.take()).isLessThan(tokens.take());
        }
    }

    @Test
    void handle_goesOnAfterTheSessionHasExpired_isInterruptedAndItsWriteIsRefused() throws Exception {
        order("first");
        var former = new CompletableFuture<Hold>();
        var goesOn = new CompletableFuture<Void>();
        var interrupted = new CompletableFuture<Boolean>();
        OrderHandler handler = (order, hold) -> {
            if (former.complete(hold)) {
                goesOn.join(); // whatever interrupts it
                interrupted.complete(Thread.currentThread().isInterrupted());
            }
            return order.text();
        };
        try (PartitionWorker worker = worker(handler)) {
            Hold hold = former.get();
            MemoryStore.named(STORE).expireSessions();
            await().until(() -> position().equals(Optional.of("1")));

            assertThat(worker.write(new PartitionOrder(3, 1, "first"), "late", hold))
                    .isFalse();
            goesOn.complete(null);
            assertThat(interrupted.get()).isTrue();
            assertThat(handled()).containsExactly("first");
        }
    }
}
