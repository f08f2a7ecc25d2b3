package io.baton.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class SeedsTest {

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final Seeds seeds = new Seeds(new PrintStream(printed, true, StandardCharsets.UTF_8));

    @Test
    void run_allGood_addsUpAndCountsThoseWithTooLittleInThem() {
        var totals = seeds.run("these", LongStream.range(0, 10), (seed, its) -> {
            its.merge("grants", seed, Long::sum);
            return seed >= 3;
        });

        assertThat(totals).containsEntry("grants", 45L);
        assertThat(printed()).contains("these: 7 schedules, 0 failed, 3 more with too little in them");
    }

    @Test
    void run_someFail_runsTheOthersAndTellsWhich() {
        assertThatThrownBy(() -> seeds.run("these", LongStream.range(0, 10), (seed, its) -> {
                    if (seed % 4 == 3) {
                        throw new IllegalStateException("seed " + seed + "\nits trace");
                    }
                    return true;
                }))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("2 of 10")
                .hasRootCauseMessage("seed 3\nits trace");

        assertThat(printed().lines())
                .startsWith("these: seed 3 failed: seed 3", "these: seed 7 failed: seed 7")
                .contains("these: failed: [3, 7]");
        assertThat(printed()).contains("these: 8 schedules, 2 failed");
    }

    @Test
    void of_file_readsTheNumbersAndLeavesOutWhatPeopleWrote() {
        assertThat(Seeds.of(SeedsTest.class, "some-seeds")).containsExactly(17L, 4839L, 5L);
    }

    private String printed() {
        return printed.toString(StandardCharsets.UTF_8);
    }
}
