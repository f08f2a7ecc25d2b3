package io.baton.benchmarks.scale;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class GrantOrderTest {

    @Test
    void violation_oneAtATimeAndRising_none() {
        assertThat(GrantOrder.violation(List.of(new Grant(0, 10, 12, 1), new Grant(0, 14, 15, 5))))
                .isEmpty();
    }

    @Test
    void violation_reportedInAnyOrder_looksAtTimes() {
        assertThat(GrantOrder.violation(List.of(new Grant(0, 14, 15, 5), new Grant(0, 10, 12, 1))))
                .isEmpty();
    }

    @Test
    void violation_smallerTokenLater_outOfOrder() {
        assertThat(GrantOrder.violation(List.of(new Grant(0, 10, 12, 5), new Grant(0, 14, 15, 1))))
                .hasValue("out of order: token 1 after 5");
    }

    @Test
    void violation_sameToken_outOfOrder() {
        assertThat(GrantOrder.violation(List.of(new Grant(0, 10, 12, 5), new Grant(0, 14, 15, 5))))
                .hasValue("out of order: token 5 after 5");
    }

    @Test
    void violation_grantedBeforeReleased_grantedTwice() {
        assertThat(GrantOrder.violation(List.of(new Grant(0, 10, 12, 1), new Grant(0, 11, 15, 5))))
                .hasValue("granted twice: tokens 1 and 5");
    }

    @Test
    void violation_otherLines_areApart() {
        assertThat(GrantOrder.violation(List.of(new Grant(0, 10, 12, 5), new Grant(1, 11, 15, 1))))
                .isEmpty();
    }
}
