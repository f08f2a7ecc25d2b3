package io.baton.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.Coordinator;
import io.baton.DistributedLock;
import io.baton.Hold;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class HourlyReportTest {

    @Test
    void runOnOneHost_everyHostTries_oneRunsItAlsoIfThatOneIsGone() throws InterruptedException {
        var reports = new AtomicInteger();
        try (Coordinator first = Coordinator.connect("mem:report")) {
            assertThat(HourlyReport.runOnOneHost(first, reports::incrementAndGet))
                    .isTrue();
        }
        try (Coordinator second = Coordinator.connect("mem:report")) {
            assertThat(HourlyReport.runOnOneHost(second, reports::incrementAndGet))
                    .isFalse();
        }
        assertThat(reports).hasValue(1);
    }

    @Test
    void ofABusyProcess_again_isTheNextTurnOfTheSameToken() throws InterruptedException {
        try (Coordinator baton = Coordinator.connect("mem:stock")) {
            DistributedLock lock = HourlyReport.ofABusyProcess(baton);
            Hold before = lock.acquire();
            before.close();
            try (Hold hold = lock.acquire()) {
                assertThat(hold.token()).isEqualTo(before.token());
                assertThat(hold.turn()).isGreaterThan(before.turn());
            }
        }
    }
}
