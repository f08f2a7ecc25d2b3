package io.baton.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
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
    void line_sameReasonAfterAllWasWell_isWrittenAtOnce() {
        warning.line("Lost", "refused", at(0));
        warning.reset();

        assertThat(warning.line("Lost", "refused", at(1))).contains("Lost: refused");
    }

    private static Instant at(int second) {
        return Instant.ofEpochSecond(1_000_000 + second);
    }
}
