package io.baton.recipe;

import static io.baton.Interleavings.together;

import io.baton.Interleavings;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Lines of two threads at a time, in many orders. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LogLimitOrdersTest {

    private static final Duration LONG = Duration.ofHours(1);

    @Test
    void admit_twoThreadsAndRoomForOne_admitsOneAndCountsTheOther() {
        Interleavings.of(() -> {
            var limit = new LogLimit(1, LONG);
            var admitted = new boolean[2];
            together(
                    () -> admitted[0] = limit.admit(Instant.EPOCH).isPresent(),
                    () -> admitted[1] = limit.admit(Instant.EPOCH).isPresent());
            long keptBack = limit.admit(Instant.EPOCH.plus(LONG)).orElseThrow();
            if (admitted[0] == admitted[1] || keptBack != 1) {
                throw new AssertionError(admitted[0] + ", " + admitted[1] + ", " + keptBack);
            }
        });
    }
}
