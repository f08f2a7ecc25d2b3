package io.baton.internal.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RepeatedWarningTest {

    private final RepeatedWarning warning = new RepeatedWarning();

    @Test
    void line_sameReason_isWrittenNowAndThenAndSaysHowOften() {
        assertThat(warning.line("Lost", "refused", at(0))).contains("Lost: refused");
        for (int second = 2; second < 60; second += 2) {
            assertThat(warning.line("Lost", "refused", at(second))).isEmpty();
        }
        assertThat(warning.line("Lost", "refused", at(60))).contains("Lost: refused (and 29 times before)");
    }

    @Test
    void line_anotherReason_isWrittenAtOnce() {
        warning.line("Lost", "refused", at(0));

        assertThat(warning.line("Lost", "expired", at(1))).contains("Lost: expired");
    }

    @Test
    void line_reasonsTakeTurns_eachIsWrittenNowAndThen() {
        warning.line("Lost", "refused", at(0));
        warning.line("Lost", "expired", at(1));

        assertThat(warning.line("Lost", "refused", at(2))).isEmpty();
        assertThat(warning.line("Lost", "expired", at(3))).isEmpty();
        assertThat(warning.line("Lost", "refused", at(60))).contains("Lost: refused (and 2 times before)");
    }

    @Test
    void line_reasonsNeverTheSame_areBounded() {
        long written = IntStream.range(0, 50)
                .filter(second ->
                        warning.line("Lost", "attempt " + second, at(second)).isPresent())
                .count();

        assertThat(written).isBetween(2L, 10L);
    }

    private static Instant at(int second) {
        return Instant.ofEpochSecond(1_000_000 + second);
    }
}
