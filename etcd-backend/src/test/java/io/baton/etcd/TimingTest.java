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
}
