package io.baton.tck.mutation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ElectionStepsTest {

    @Test
    void step_any_isExpectedOrImpossible() {
        assertThat(ElectionSteps.unexplained()).isEmpty();
    }

    @Test
    void expected_manySeeds_isPossible() {
        assertThat(ElectionSteps.expected(Long.MAX_VALUE))
                .doesNotHaveDuplicates()
                .allSatisfy(step ->
                        assertThat(ElectionSteps.impossible(step)).as(step).isEmpty());
    }
}
