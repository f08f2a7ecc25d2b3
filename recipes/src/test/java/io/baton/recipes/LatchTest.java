package io.baton.recipes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.baton.CoordinationException;
import io.baton.Coordinator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LatchTest {

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private Coordinator baton;
    private Latch latch;

    @BeforeEach
    void connect(TestInfo test) throws InterruptedException {
        baton = Coordinator.connect("mem:latch-" + test.getDisplayName());
        latch = Latch.named(baton, "migrated");
    }

    @AfterEach
    void close() {
        baton.close();
        threads.shutdownNow();
    }

    @Test
    void open_onceAndAgain_saysWhetherItDid() throws InterruptedException {
        assertThat(latch.state()).isEqualTo(new LatchState(1, 0, List.of()));

        assertThat(latch.open(2)).isTrue();
        assertThat(latch.open(2)).isFalse();
        assertThatThrownBy(() -> latch.open(3))
                .isInstanceOf(CoordinationException.class)
                .hasMessageContaining("open for 2")
                .hasMessageContaining("to be opened for 3");

        assertThat(latch.state()).isEqualTo(new LatchState(1, 2, List.of()));
        assertThat(latch.state().isOpen()).isTrue();
    }

    @Test
    void countDown_idTwice_countsOnce() throws InterruptedException {
        latch.open(2);

        assertThat(latch.countDown("a")).isTrue();
        assertThat(latch.countDown("a")).isFalse();
        assertThat(latch.state().isReleased()).isFalse();
        assertThat(latch.await(Duration.ZERO)).isFalse();
        assertThat(latch.countDown("b")).isTrue();

        assertThat(latch.state()).isEqualTo(new LatchState(1, 2, List.of("a", "b")));
        latch.await();
        assertThat(latch.await(Duration.ZERO)).isTrue();
        assertThat(latch.countDown("c")).as("the round is released").isFalse();
        assertThat(latch.state().counted()).containsExactly("a", "b");
    }

    @Test
    void countDown_oddIds_areKeptAsTheyAre() throws InterruptedException {
        List<String> ids = List.of("a=b", "two\nlines", "100%", "%3D", "東京", "a b", " ", "counted ", "x".repeat(64));
        latch.open(ids.size());
        for (String id : ids) {
            assertThat(latch.countDown(id)).isTrue();
            assertThat(latch.countDown(id)).isFalse();
        }

        assertThat(latch.state().counted()).isEqualTo(ids);
        assertThat(latch.state().isReleased()).isTrue();
    }

    @Test
    void countDown_asManyAsThereMayBe_releases() throws InterruptedException {
        latch.open(Latch.MAX_COUNT);
        CompletableFuture<Void> waiting = latch.awaitAsync();
        for (int i = 0; i < Latch.MAX_COUNT; i++) {
            assertThat(latch.countDown("x".repeat(60) + i)).isTrue();
        }

        assertThat(waiting).succeedsWithin(Duration.ofSeconds(30));
    }

    @Test
    void countDown_manyAtOnce_countsAll() {
        latch.openAsync(20).join();
        List<CompletableFuture<Boolean>> all = new ArrayList<>();
        IntStream.range(0, 40).forEach(i -> all.add(latch.countDownAsync("id-" + i % 20)));

        assertThat(all.stream().filter(CompletableFuture::join)).hasSize(20);
        assertThat(latch.stateAsync().join().isReleased()).isTrue();
    }

    @Test
    void countDown_notOpen_isRefused() throws InterruptedException {
        assertThatThrownBy(() -> latch.countDown("a"))
                .isInstanceOf(CoordinationException.class)
                .hasMessageContaining("latch 'migrated' is not open in round 1");
        latch.open(1);
        latch.countDown("a");
        assertThat(latch.reset()).isEqualTo(2);
        assertThatThrownBy(() -> latch.countDown("a")).hasMessageContaining("not open in round 2");
    }

    @Test
    void await_openedLater_waitsForTheRelease() throws Exception {
        Future<Boolean> timed = threads.submit(() -> latch.await(Duration.ofDays(1_000_000)));
        CompletableFuture<Void> async = latch.awaitAsync();
        latch.open(1);
        assertThat(latch.await(Duration.ofMillis(50))).isFalse();
        assertThat(async).isNotDone();

        latch.countDown("a");

        assertThat(timed.get()).isTrue();
        assertThat(async).succeedsWithin(Duration.ofSeconds(30));
    }

    @Test
    void reset_afterTheRelease_nextRoundBegins() throws InterruptedException {
        latch.open(1);
        latch.countDown("a");

        assertThat(latch.reset()).isEqualTo(2);

        assertThat(latch.state()).isEqualTo(new LatchState(2, 0, List.of()));
        assertThat(latch.await(Duration.ofMillis(50))).as("of the next round").isFalse();
        assertThat(latch.open(2)).isTrue();
        assertThat(latch.countDown("a")).isTrue();
    }

    @Test
    void reset_beforeTheRelease_waitersWaitForTheNextOne() throws InterruptedException {
        latch.open(2);
        CompletableFuture<Void> waiting = latch.awaitAsync();
        assertThat(latch.state().isReleased()).isFalse(); // read after the waiter's read

        latch.reset();
        latch.open(1);
        assertThat(latch.await(Duration.ofMillis(50))).isFalse();
        assertThat(waiting).isNotDone();
        latch.countDown("a");

        assertThat(waiting).succeedsWithin(Duration.ofSeconds(30));
    }

    @Test
    void awaitAsync_cancelled_endsAlone() throws InterruptedException {
        CompletableFuture<Void> cancelled = latch.awaitAsync();
        CompletableFuture<Void> other = latch.awaitAsync();

        cancelled.cancel(true);
        latch.open(1);
        latch.countDown("a");

        assertThat(other).succeedsWithin(Duration.ofSeconds(30));
        assertThat(cancelled).isCancelled();
    }

    @Test
    void await_interrupted_ends() {
        for (boolean timed : List.of(true, false)) {
            var thrown = new CompletableFuture<Throwable>();
            Thread waiting = new Thread(() -> {
                try {
                    if (timed) {
                        thrown.completeExceptionally(new AssertionError(latch.await(Duration.ofHours(1))));
                    } else {
                        latch.await();
                    }
                } catch (Throwable expected) {
                    thrown.complete(expected);
                }
            });
            waiting.start();
            await().until(() ->
                    waiting.getState() == Thread.State.WAITING || waiting.getState() == Thread.State.TIMED_WAITING);

            waiting.interrupt();

            assertThat(thrown).succeedsWithin(Duration.ofSeconds(30)).isInstanceOf(InterruptedException.class);
        }
    }

    @Test
    void record_ofAnotherProgram_isRefusedAndKept() throws InterruptedException {
        for (String text : List.of("hello", "round=0", "round=x")) {
            baton.records(Latch.TREE).put("migrated", text);

            assertThatThrownBy(() -> latch.open(1))
                    .isInstanceOf(CoordinationException.class)
                    .hasMessageContaining("should have the line 'round=N'");
            assertThatThrownBy(latch::await).isInstanceOf(CoordinationException.class);
            assertThat(baton.records(Latch.TREE).get("migrated").orElseThrow().text())
                    .isEqualTo(text);
        }
    }

    @Test
    void nonsense_isRefused() {
        for (int count : List.of(0, -1, Latch.MAX_COUNT + 1)) {
            assertThatThrownBy(() -> latch.open(count))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("for 1 to 1000 to count down, not for " + count);
        }
        for (String id : List.of("", "x".repeat(65), "ü".repeat(33), "\ud800")) {
            assertThatThrownBy(() -> latch.countDown(id))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("an id has 1 to 64 bytes");
        }
        assertThatThrownBy(() -> Latch.named(baton, "")).isInstanceOf(IllegalArgumentException.class);
    }
}
