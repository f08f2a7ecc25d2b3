package io.baton.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.baton.spi.SessionSpec;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimingTest {

    @Test
    void of_ttlTooShort_isRaised() {
        Timing timing = Timing.of(new SessionSpec(Duration.ofMillis(300), "test"));

        assertThat(timing).isEqualTo(Timing.of(Duration.ofSeconds(1)));
    }

    @ParameterizedTest
    @ValueSource(ints = {300, 2_500})
    void of_strictTtlThatIsNotOfWholeSeconds_saysWhatWouldDo(int millis) {
        assertThatThrownBy(() -> Timing.of(new SessionSpec(Duration.ofMillis(millis), "test", true)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(millis + " ms cannot work on etcd")
                .hasMessageContaining("Ask for 2s or more");
    }

    @Test
    void of_usualTime_beatsEachQuarterAndTakesTheMarginOff() {
        Timing timing = Timing.of(Duration.ofSeconds(10));

        assertThat(timing).isEqualTo(new Timing(nanos(10_000), nanos(150), nanos(2_500), nanos(2_500)));
    }

    @Test
    void of_longTime_waitsForAnAnswerForFiveSecondsAtMost() {
        assertThat(Timing.of(Duration.ofSeconds(60)).patience()).isEqualTo(nanos(5_000));
    }

    @Test
    void of_aSecond_takesTheFixedMarginOff() {
        assertThat(Timing.of(Duration.ofSeconds(1)).margin()).isEqualTo(nanos(60));
    }

    @Test
    void wholeSeconds_partOfASecond_isRoundedUp() {
        assertThat(Timing.wholeSeconds(Duration.ofMillis(2_001))).isEqualTo(Duration.ofSeconds(3));
        assertThat(Timing.wholeSeconds(Duration.ofSeconds(2))).isEqualTo(Duration.ofSeconds(2));
    }

    private static long nanos(long millis) {
        return millis * 1_000_000;
    }
}
