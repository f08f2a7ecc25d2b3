package io.baton.cli.release;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.Released;
import io.baton.Released.Outcome;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class ReleaseRequestTextTest {

    @Test
    void text_ofEachOutcome_saysWhatBecameOfTheRequest() {
        assertThat(text(Outcome.FREE, "")).isEqualTo("no process holds it");
        assertThat(text(Outcome.RELEASED, "")).isEqualTo("released");
        assertThat(text(Outcome.REFUSED, "in the middle of it")).isEqualTo("refused: in the middle of it");
        assertThat(text(Outcome.REFUSED, " ")).isEqualTo("refused, without a reason");
        assertThat(text(Outcome.UNANSWERED, ""))
                .isEqualTo("no answer within 30s: the holder may not listen, or may still decide to release");
    }

    @Test
    void status_ofEachOutcome_isItsOwn() {
        assertThat(Arrays.stream(Outcome.values()).map(ReleaseRequestCommand::status))
                .containsExactlyInAnyOrder(0, 1, 75, 77);
    }

    private static String text(Outcome outcome, String answer) {
        return ReleaseRequestCommand.text(new Released(outcome, answer), Duration.ofSeconds(30));
    }
}
