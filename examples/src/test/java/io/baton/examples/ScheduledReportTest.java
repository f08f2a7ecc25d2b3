package io.baton.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.baton.Coordinator;
import io.baton.election.Candidacy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ScheduledReportTest {

    private static final Duration OFTEN = Duration.ofMillis(10);

    @Test
    void schedule_leaderCloses_endsItsRunBeforeTheNextHostBegins() throws InterruptedException {
        List<String> course = new CopyOnWriteArrayList<>();
        var begun = new CountDownLatch(1);
        try (Coordinator here = Coordinator.connect("mem:scheduled");
                Coordinator there = Coordinator.connect("mem:scheduled")) {
            Candidacy leader = ScheduledReport.schedule(here, "host-1", OFTEN, leadership -> {
                course.add("host-1 begins");
                begun.countDown();
                try {
                    Thread.currentThread().join(); // until it is interrupted
                } catch (InterruptedException stopped) {
                    course.add("host-1 ends");
                }
            });
            begun.await();
            try (Candidacy next =
                    ScheduledReport.schedule(there, "host-2", OFTEN, leadership -> course.add("host-2 begins"))) {
                leader.close();
                await().until(() -> course.contains("host-2 begins"));
                assertThat(next.leadership()).isPresent();
            }
        }
        assertThat(course).startsWith("host-1 begins", "host-1 ends", "host-2 begins");
    }

    @Test
    void schedule_runThrows_theNextOneComesAllTheSame() throws InterruptedException {
        var runs = new AtomicInteger();
        try (Coordinator baton = Coordinator.connect("mem:scheduled-throws");
                Candidacy me = ScheduledReport.schedule(baton, "host-1", OFTEN, leadership -> {
                    if (runs.incrementAndGet() == 1) {
                        throw new IllegalStateException("no paper");
                    }
                })) {
            await().until(() -> runs.get() > 2);
            assertThat(me.leadership()).isPresent();
        }
    }
}
