package io.baton.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class DurationOptionTest {

    private final DurationOption option = new DurationOption();

    @ParameterizedTest
    @CsvSource({"500ms,500", "10s,10000", "2m,120000", "1h,3600000", "24h,86400000"})
    void convert_numberAndUnit_givesThatTime(String text, long millis) {
        assertThat(option.convert(text)).isEqualTo(Duration.ofMillis(millis));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "10", "s", "-1s", "1.5s", "10 s", "10S", "PT10S", "99999999999s", "1d", "ten"})
    void convert_anythingElse_saysHowToWriteIt(String text) {
        assertThatThrownBy(() -> option.convert(text))
                .isInstanceOf(TypeConversionException.class)
                .hasMessageContaining("'" + text + "'")
                .hasMessageContaining("500ms");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0s", "0ms", "25h", "999999999h"})
    void convert_outOfRange_namesTheRange(String text) {
        assertThatThrownBy(() -> option.convert(text))
                .isInstanceOf(TypeConversionException.class)
                .hasMessageContaining("more than zero and at most 24h");
    }

    @Test
    void format_whateverIsWritten_readsBackTheSame() {
        for (String text : new String[] {"1ms", "1500ms", "2s", "90s"}) {
            assertThat(DurationOption.format(option.convert(text))).isEqualTo(text);
        }
    }

    @Test
    void rounded_anyLength_hasTheTwoLargestUnits() {
        assertThat(DurationOption.rounded(Duration.ofSeconds(-1))).isEqualTo("0s");
        assertThat(DurationOption.rounded(Duration.ofMillis(59_999))).isEqualTo("59s");
        assertThat(DurationOption.rounded(Duration.ofSeconds(3_599))).isEqualTo("59m59s");
        assertThat(DurationOption.rounded(Duration.ofSeconds(3_660))).isEqualTo("1h01m");
        assertThat(DurationOption.rounded(Duration.ofHours(49))).isEqualTo("2d01h");
        assertThat(DurationOption.left(Duration.ofMillis(1))).isEqualTo("1s");
        assertThat(DurationOption.left(Duration.ZERO)).isEqualTo("0s");
    }
}
