package io.baton.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimingTest {

    @Test
    void of_anyTimeoutThatIsTaken_provesAgainBeforeHalfOfItIsGone() {
        int taken = 0;
        for (int tick = 50; tick <= 4_000; tick += 50) {
            for (int timeout = tick; timeout <= 40 * tick; timeout += 149) {
                Timing timing;
                try {
                    timing = Timing.of(Duration.ofMillis(timeout), Duration.ofMillis(tick));
                } catch (IllegalArgumentException refused) {
                    continue;
                }
                taken++;
                long beatsToProve = (timing.tick() + timing.beat() - 1) / timing.beat();
                long oldest = (beatsToProve + 1) * timing.beat();
                assertThat(oldest).isLessThan(timing.timeout() / 2 - timing.margin());
                assertThat(timing.tick() + timing.idle()).isLessThan(timing.timeout() / 2 - timing.margin());
                assertThat(timing.idle()).isPositive();
            }
        }
        assertThat(taken).isGreaterThan(1_000);
    }

    @Test
    void of_defaults_beatsAboutEveryEighthAndMayBeLateByATenth() {
        Timing timing = Timing.of(Duration.ofSeconds(10), Duration.ofSeconds(2));

        assertThat(Duration.ofNanos(timing.beat())).isBetween(Duration.ofMillis(1_200), Duration.ofMillis(1_300));
        assertThat(Duration.ofNanos(timing.idle())).isBetween(Duration.ofMillis(1_800), Duration.ofMillis(1_900));
        long room = timing.timeout() / 2 - timing.margin() - 3 * timing.beat();
        assertThat(Duration.ofNanos(room)).isGreaterThan(Duration.ofSeconds(1));
    }

    @Test
    void of_longTimeout_looksAtHoldsAsOftenAsWithAShorterOne() {
        for (int seconds : new int[] {40, 60, 600, 3_600}) {
            Timing timing = Timing.of(Duration.ofSeconds(seconds), Duration.ofSeconds(2));

            assertThat(Duration.ofNanos(timing.beat())).isEqualTo(Duration.ofSeconds(5));
        }
    }

    @Test
    void of_shortTick_beatsEveryEighth() {
        Timing timing = Timing.of(Duration.ofSeconds(8), Duration.ofMillis(500));

        assertThat(Duration.ofNanos(timing.beat())).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void least_anyTick_isTheShortestThatIsTaken() {
        for (int tick = 50; tick <= 4_000; tick += 50) {
            Duration servers = Duration.ofMillis(tick);
            Duration least = Timing.least(servers);
            Timing.of(least, servers);
            assertThatThrownBy(() -> Timing.of(least.minusMillis(1), servers))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void of_shortTick_readsEachQuarter() {
        assertThat(Timing.of(Duration.ofSeconds(8), Duration.ofMillis(500)).idle())
                .isEqualTo(Duration.ofSeconds(2).toNanos());
    }

    /** The fixed margin takes much of it. */
    @Test
    void of_veryShortTimeout_beatsTwiceWhileAProofGetsOld() {
        Timing timing = Timing.of(Duration.ofMillis(250), Duration.ofMillis(5));

        assertThat(timing.old()).isEqualTo(Duration.ofNanos(52_500_000).toNanos());
        assertThat(timing.beat()).isEqualTo(timing.old() / 2);
    }

    /** As few commits as prove in time. */
    @Test
    void of_justEnoughForFewerBeats_takesThem() {
        assertThat(Timing.of(Duration.ofMillis(500), Duration.ofMillis(60)).beat())
                .isEqualTo(Duration.ofMillis(85).toNanos());
        assertThat(Timing.of(Duration.ofSeconds(1), Duration.ofMillis(210)).beat())
                .isEqualTo(Duration.ofMillis(130).toNanos());
    }

    @ParameterizedTest
    @CsvSource({"2000, 5236", "1000, 2670", "500, 1386", "50, 304"})
    void of_leastTimeout_isTakenAndAMillisecondLessIsNot(int tick, int least) {
        assertThat(Timing.of(Duration.ofMillis(least), Duration.ofMillis(tick)).beat())
                .isPositive();
        assertThatThrownBy(() -> Timing.of(Duration.ofMillis(least - 1), Duration.ofMillis(tick)))
                .hasMessageContaining("at least " + least + " ms");
    }

    @Test
    void of_timeoutTooShortForTheTick_saysWhatWouldDo() {
        assertThatThrownBy(() -> Timing.of(Duration.ofSeconds(4), Duration.ofSeconds(2)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("4000 ms")
                .hasMessageContaining("2000 ms")
                .hasMessageContaining("?tick=")
                .satisfies(refused -> {
                    String least = String.valueOf(refused.getMessage()).replaceAll(".*at least (\\d+) ms.*", "$1");
                    Timing.of(Duration.ofMillis(Long.parseLong(least)), Duration.ofSeconds(2));
                });
    }
}
