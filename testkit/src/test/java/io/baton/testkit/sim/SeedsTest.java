package io.baton.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiPredicate;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class SeedsTest {

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final Seeds seeds = new Seeds(new PrintStream(printed, true, StandardCharsets.UTF_8));

    @Test
    void run_allGood_addsUpAndCountsThoseWithTooLittleInThem() {
        var totals = seeds.run("these", LongStream.range(0, 10), of((seed, its) -> {
            its.merge("grants", seed, Long::sum);
            return seed >= 3;
        }));

        assertThat(totals).containsEntry("grants", 45L);
        assertThat(printed()).contains("these: 7 schedules, 0 failed, 3 more with too little in them");
    }

    @Test
    void run_someFail_runsTheOthersAndTellsWhich() {
        assertThatThrownBy(() -> seeds.run("these", LongStream.range(0, 10), of((seed, its) -> {
                    if (seed % 4 == 3) {
                        throw new IllegalStateException("seed " + seed + "\nits trace");
                    }
                    return true;
                })))
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

    @Test
    void runAsked_somethingNeverHappens_failsAndSaysWhat() {
        assertThatThrownBy(() -> seeds.runAsked(
                        "these",
                        3,
                        3,
                        of((seed, its) -> {
                            its.merge("grants", 1L, Long::sum);
                            return true;
                        }),
                        List.of("grants", "losses")))
                .isInstanceOf(AssertionError.class)
                .hasMessage("did not happen in 3 seeds: [losses]");
    }

    @Test
    void run_inAnotherOrder_theFingerprintIsTheSame() {
        LongFunction<SeededRun> runs = of((seed, its) -> true);
        seeds.run("these", LongStream.of(1, 2, 3), runs);
        new Seeds(new PrintStream(printed, true, StandardCharsets.UTF_8)).run("those", LongStream.of(3, 1, 2), runs);
        new Seeds(new PrintStream(printed, true, StandardCharsets.UTF_8)).run("others", LongStream.of(1, 2, 4), runs);

        assertThat(prints("these")).isEqualTo(prints("those")).isNotEqualTo(prints("others"));
    }

    private String prints(String what) {
        return printed()
                .lines()
                .filter(line -> line.startsWith(what + ": fingerprint "))
                .map(line -> line.replaceFirst(what, ""))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void checkRepeatable_anotherCourseTheSecondTime_fails() {
        var runs = new AtomicInteger();
        Seeds.checkRepeatable(of((seed, its) -> true), 1, 17);

        assertThatThrownBy(() -> Seeds.checkRepeatable(seed -> new Told(runs.getAndIncrement(), (of, its) -> true), 17))
                .isInstanceOf(AssertionError.class)
                .hasMessage("seed 17 takes another course the second time");
    }

    private static LongFunction<SeededRun> of(BiPredicate<Long, Map<String, Long>> run) {
        return seed -> new Told(seed, run);
    }

    /** Writes its number into its trace. */
    private record Told(long seed, BiPredicate<Long, Map<String, Long>> what, Trace trace) implements SeededRun {

        Told(long seed, BiPredicate<Long, Map<String, Long>> what) {
            this(seed, what, new Trace(10));
        }

        @Override
        public boolean run(Map<String, Long> totals) {
            trace.add(seed, "seed", "runs");
            return what.test(seed, totals);
        }
    }

    private String printed() {
        return printed.toString(StandardCharsets.UTF_8);
    }
}
