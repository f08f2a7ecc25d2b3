package io.baton.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Hold;
import io.baton.LockView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class NightlyReportTest {

    private static final Duration SHORT = Duration.ofMillis(20);

    private final ExecutorService workers = Executors.newSingleThreadExecutor(work -> new Thread(work, "reports"));

    @AfterEach
    void stopWorkers() {
        workers.shutdownNow();
    }

    @Test
    void reportWithin_takenAndFree_reportsOnlyWhenFree() throws InterruptedException {
        List<Long> tokens = new ArrayList<>();
        try (Coordinator here = Coordinator.connect("mem:report-try");
                Coordinator there = Coordinator.connect("mem:report-try")) {
            try (Hold hold = there.lock("nightly-report").acquire()) {
                assertThat(NightlyReport.reportWithin(here, SHORT, tokens::add)).isFalse();
                assertThat(hold.token()).isPositive();
            }
            assertThat(NightlyReport.reportWithin(here, Duration.ofSeconds(30), tokens::add))
                    .isTrue();
        }
        assertThat(tokens).hasSize(1);
    }

    @Test
    void reportLater_takenAtFirst_reportsWhenReleased() throws Exception {
        List<Long> tokens = new CopyOnWriteArrayList<>();
        try (Coordinator here = Coordinator.connect("mem:report-async");
                Coordinator there = Coordinator.connect("mem:report-async")) {
            CompletableFuture<Void> later;
            long former;
            try (Hold hold = there.lock("nightly-report").acquire()) {
                former = hold.token();
                later = NightlyReport.reportLater(here, workers, token -> {
                    assertThat(Thread.currentThread().getName()).isEqualTo("reports");
                    tokens.add(token);
                });
                assertThat(later).isNotDone();
            }
            later.get(30, TimeUnit.SECONDS);
            assertThat(tokens)
                    .singleElement()
                    .satisfies(token -> assertThat(token).isGreaterThan(former));
            assertIsFree(there);
        }
    }

    @Test
    void reportLater_reportThrows_failsAndReleases() throws Exception {
        try (Coordinator here = Coordinator.connect("mem:report-throws");
                Coordinator there = Coordinator.connect("mem:report-throws")) {
            CompletableFuture<Void> later = NightlyReport.reportLater(here, workers, token -> {
                throw new IllegalStateException("no paper");
            });

            assertThatThrownBy(() -> later.get(30, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .hasRootCauseMessage("no paper");
            assertIsFree(there);
        }
    }

    @Test
    void reportLater_workersRefuse_failsAndReleases() throws Exception {
        workers.shutdown();
        try (Coordinator here = Coordinator.connect("mem:report-refused");
                Coordinator there = Coordinator.connect("mem:report-refused")) {
            CompletableFuture<Void> later = NightlyReport.reportLater(here, workers, token -> {});

            assertThatThrownBy(() -> later.get(30, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .hasRootCauseInstanceOf(RejectedExecutionException.class);
            assertIsFree(there);
        }
    }

    @Test
    void reportLater_cancelledInTheLine_leavesIt() throws Exception {
        List<Long> tokens = new CopyOnWriteArrayList<>();
        try (Coordinator here = Coordinator.connect("mem:report-cancelled");
                Coordinator there = Coordinator.connect("mem:report-cancelled")) {
            try (Hold hold = there.lock("nightly-report").acquire()) {
                CompletableFuture<Void> later = NightlyReport.reportLater(here, workers, tokens::add);
                await().until(() -> there.lock("nightly-report").queue().size() == 2);

                assertThat(later.cancel(true)).isTrue();

                await().until(() -> there.lock("nightly-report").queue().size() == 1);
                assertThat(hold.token()).isPositive();
            }
            assertIsFree(there);
        }
        assertThat(tokens).isEmpty();
    }

    @Test
    void reportLater_cancelledDuringTheReport_holdsUntilItHasEnded() throws Exception {
        var begun = new CountDownLatch(1);
        var end = new CompletableFuture<Void>();
        try (Coordinator here = Coordinator.connect("mem:report-late");
                Coordinator there = Coordinator.connect("mem:report-late")) {
            CompletableFuture<Void> later = NightlyReport.reportLater(here, workers, token -> {
                begun.countDown();
                end.join();
            });
            begun.await();

            assertThat(later.cancel(true)).isTrue();

            assertThat(there.lock("nightly-report").tryAcquire()).isEmpty();
            end.complete(null);
            assertIsFree(there);
        }
    }

    private static void assertIsFree(Coordinator baton) throws InterruptedException {
        try (Hold free =
                baton.lock("nightly-report").tryAcquire(Duration.ofSeconds(30)).orElseThrow()) {
            assertThat(free.token()).isPositive();
        }
    }

    @Test
    void reportNested_lockHeldByTheSameThread_reportsUnderTheSameToken() throws InterruptedException {
        List<Long> tokens = new ArrayList<>();
        try (Coordinator baton = Coordinator.connect("mem:report-view")) {
            LockView lock = baton.lock("nightly-report").asLock();
            lock.lock();
            NightlyReport.reportNested(lock, tokens::add);
            assertThat(tokens).containsExactly(lock.current().orElseThrow().token());
            lock.unlock();
        }
    }

    @Test
    void reporter_heldByAnother_isNamed() throws InterruptedException {
        CoordinatorOptions named =
                CoordinatorOptions.builder().client("reports").build();
        try (Coordinator here = Coordinator.connect("mem:report-queue");
                Coordinator there = Coordinator.connect("mem:report-queue", named)) {
            assertThat(NightlyReport.reporter(here)).isEmpty();
            try (Hold hold = there.lock("nightly-report").acquire()) {
                assertThat(hold.token()).isPositive();
                assertThat(NightlyReport.reporter(here).orElseThrow())
                        .startsWith("reports on ")
                        .endsWith(", process " + ProcessHandle.current().pid());
            }
        }
    }
}
