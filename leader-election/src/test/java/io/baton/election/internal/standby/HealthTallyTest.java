package io.baton.election.internal.standby;

import static io.baton.election.StandbyStatus.Health.HEALTHY;
import static io.baton.election.StandbyStatus.Health.UNHEALTHY;
import static io.baton.election.StandbyStatus.Health.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Three failures in a row, or two successes, make a change. */
class HealthTallyTest {

    @Test
    void next_fromTheStart_takesAllSuccesses() {
        assertThat(after("+").health()).isEqualTo(UNKNOWN);
        assertThat(after("++").health()).isEqualTo(HEALTHY);
        assertThat(after("+-").health()).isEqualTo(UNHEALTHY);
        assertThat(after("-").health()).isEqualTo(UNHEALTHY);
    }

    @Test
    void next_healthy_takesFailuresInARow() {
        assertThat(after("++--").health()).isEqualTo(HEALTHY);
        assertThat(after("++--+--").health()).isEqualTo(HEALTHY);
        assertThat(after("++--+---").health()).isEqualTo(UNHEALTHY);
    }

    @Test
    void next_unhealthy_takesSuccessesInARow() {
        assertThat(after("-+").health()).isEqualTo(UNHEALTHY);
        assertThat(after("-+-+").health()).isEqualTo(UNHEALTHY);
        assertThat(after("-+-++").health()).isEqualTo(HEALTHY);
    }

    private static HealthTally after(String checks) {
        HealthTally tally = HealthTally.START;
        for (char each : checks.toCharArray()) {
            tally = tally.next(each == '+', 3, 2);
        }
        return tally;
    }
}
