package io.baton.spi.inspect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class InspectorsTest {

    @Test
    void at_storeWithoutInspector_isRefused() {
        assertThatThrownBy(() -> Inspectors.at("mem:x", Duration.ofSeconds(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("stores of 'mem:' cannot be inspected");
    }

    @Test
    void at_unknownScheme_namesThoseThereAre() {
        assertThatThrownBy(() -> Inspectors.at("redis://h:1", Duration.ofSeconds(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the schemes here are [mem]");
    }

    @Test
    void finding_ofAClock_warnsOnlyOfWhatIsCertainlyFarOff() {
        assertThat(clock(-10_400, 500).level()).isEqualTo(Finding.Level.OK);
        assertThat(clock(10_600, 500).level()).isEqualTo(Finding.Level.WARNING);
        assertThat(clock(-10_600, 500).what())
                .startsWith("the clock of h1 is 10.6 s behind this machine's, give or take 500 ms:");
    }

    private static Finding clock(long ahead, long within) {
        return new ClockReading("h1", Duration.ofMillis(ahead), Duration.ofMillis(within)).finding();
    }
}
