package io.baton.internal.lock;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.internal.HandLoop;
import io.baton.recipe.ClientLoop;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class SizePaceTest {

    private final SizePace pace = new SizePace(new ClientLoop(new HandLoop()));

    @Test
    void pause_oneWaits_isASecondOrTwo() {
        pace.begin();

        for (int i = 0; i < 100; i++) {
            assertThat(pace.pause()).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(2));
        }
    }

    @Test
    void pause_tenThousandWait_isLongerUntilTheyWaitNoMore() {
        for (int i = 0; i < 10_000; i++) {
            pace.begin();
        }

        assertThat(pace.pause()).isBetween(Duration.ofSeconds(20), Duration.ofSeconds(40));

        for (int i = 0; i < 9_999; i++) {
            pace.end();
        }
        assertThat(pace.pause()).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(2));
    }
}
