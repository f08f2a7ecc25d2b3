package io.baton.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.Coordinator;
import io.baton.CoordinatorOptions;
import io.baton.Hold;
import io.baton.LockView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class NightlyReportTest {

    private static final Duration SHORT = Duration.ofMillis(20);

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
            CompletableFuture<Hold> later;
            try (Hold hold = there.lock("nightly-report").acquire()) {
                later = NightlyReport.reportLater(here, tokens::add);
                assertThat(hold.token()).isPositive();
                assertThat(later).isNotDone();
            }
            Hold granted = later.get(30, TimeUnit.SECONDS);
            assertThat(there.lock("nightly-report").tryAcquire(Duration.ofSeconds(30)))
                    .isPresent();
            assertThat(tokens).containsExactly(granted.token());
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
