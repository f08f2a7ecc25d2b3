package io.baton.recipes.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.recipes.StandingQuestion.State;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class AskedQuestionTest {

    private static final Duration SHORT = Duration.ofMillis(300);
    private static final Duration LONG = Duration.ofMinutes(1);

    private static AskedQuestion askedBy(String calls) {
        return new AskedQuestion(1, "a", "hash", calls, LONG, State.ASKED, 0, 0);
    }

    @Test
    void askedBy_another_bothWaitForAsLongAsTheMorePatientOne() {
        AskedQuestion both = askedBy("one").askedBy("two", SHORT);

        assertThat(both.calls()).isEqualTo("one+two");
        assertThat(both.patience()).isEqualTo(LONG);
        assertThat(both.askedBy("two", SHORT)).isEqualTo(both);
        assertThat(both.askedBy("two", LONG.multipliedBy(2)).patience()).isEqualTo(LONG.multipliedBy(2));
        assertThat(AskedQuestion.decode("1", both.encode())).isEqualTo(both);
    }

    @Test
    void without_oneAfterTheOther_isEmptyInTheEnd() {
        AskedQuestion both = askedBy("one+two");

        assertThat(both.without("three")).contains(both);
        assertThat(both.without("one").orElseThrow().calls()).isEqualTo("two");
        assertThat(both.without("one").orElseThrow().without("two")).isEmpty();
        assertThat(both.without("one+two")).isEmpty();
    }

    /** It stays on record, as it is not known which of the others still wait. */
    @Test
    void askedBy_moreThanAreKept_isNotEmptyOnceTheKnownOnesHaveGone() {
        AskedQuestion many = askedBy("call0");
        for (int i = 1; i < 100; i++) {
            many = many.askedBy("call" + i, LONG);
        }
        assertThat(many.calls()).endsWith("call15+*");
        for (int i = 0; i < 16; i++) {
            many = many.without("call" + i).orElseThrow();
        }
        assertThat(many.calls()).isEqualTo("*");
    }
}
