package io.baton.spi.support;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.spi.support.AdaptiveLimit.Kind;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Times are in milliseconds; a wait of more than 100 ms is long. */
class AdaptiveLimitTest {

    private final AdaptiveLimit limit = AdaptiveLimit.between(2, 64, Duration.ofSeconds(6));
    private long now;

    @Test
    void answered_quickly_doublesPerRoundTripUpToTheMost() {
        assertThat(limit.current()).isEqualTo(4);
        round(10);
        assertThat(limit.current()).isEqualTo(8);
        round(10);
        assertThat(limit.current()).isEqualTo(16);
        for (int i = 0; i < 10; i++) {
            round(10);
        }
        assertThat(limit.current()).isEqualTo(64);
    }

    @Test
    void answered_slowlyFromTheFirstOn_isDistanceAndNoReasonToSendLess() {
        for (int i = 0; i < 10; i++) {
            round(500);
        }
        assertThat(limit.current()).isEqualTo(64);
    }

    @Test
    void answered_afterALongWait_halvesOncePerRoundTripDownToTheLeast() {
        for (int i = 0; i < 10; i++) {
            round(10);
        }
        round(200);
        assertThat(limit.current()).isEqualTo(32);
        round(200);
        assertThat(limit.current()).isEqualTo(16);
        for (int i = 0; i < 10; i++) {
            round(200);
        }
        assertThat(limit.current()).isEqualTo(2);
    }

    @Test
    void answered_quicklyAfterALongWait_growsByOnePerRoundTrip() {
        round(10);
        round(200);
        assertThat(limit.current()).isEqualTo(4);
        round(10);
        assertThat(limit.current()).isBetween(4, 5);
        round(10);
        assertThat(limit.current()).isBetween(5, 6);
    }

    @Test
    void answered_whileFewAreUnanswered_doesNotGrow() {
        for (int i = 0; i < 100; i++) {
            limit.answered(Kind.COMMIT, now, now += ms(10), false);
        }
        assertThat(limit.current()).isEqualTo(4);
    }

    @Test
    void answered_commitsSlowerThanReads_isNoWait() {
        limit.answered(Kind.READ, 0, ms(1), false);
        now = ms(10);
        for (int i = 0; i < 10; i++) {
            round(300);
        }
        assertThat(limit.current()).isEqualTo(64);
    }

    @Test
    void resumed_afterAPause_startsAgain() {
        for (int i = 0; i < 10; i++) {
            round(10);
        }
        limit.resumed(now + ms(900));
        assertThat(limit.current()).isEqualTo(64);
        limit.resumed(now + ms(1_100));
        assertThat(limit.current()).isEqualTo(4);
    }

    @Test
    void between_veryShortOrLongTimeouts_aWaitIsLongFromFiftyMillisecondsOrOneSecondOn() {
        AdaptiveLimit quick = AdaptiveLimit.between(2, 64, Duration.ofMillis(500));
        quick.answered(Kind.READ, 0, ms(1), false);
        quick.answered(Kind.READ, ms(10), ms(60), false);
        assertThat(quick.current()).isEqualTo(4);
        quick.answered(Kind.READ, ms(100), ms(152), false);
        assertThat(quick.current()).isEqualTo(2);
        AdaptiveLimit patient = AdaptiveLimit.between(2, 64, Duration.ofMinutes(10));
        patient.answered(Kind.READ, 0, ms(1), false);
        patient.answered(Kind.READ, ms(10), ms(1_010), false);
        assertThat(patient.current()).isEqualTo(4);
        patient.answered(Kind.READ, ms(2_000), ms(3_002), false);
        assertThat(patient.current()).isEqualTo(2);
    }

    @Test
    void connected_toAServerFurtherAway_measuresAnew() {
        round(10);
        limit.connected();
        for (int i = 0; i < 10; i++) {
            round(300);
        }
        assertThat(limit.current()).isEqualTo(64);
    }

    @Test
    void crowded_refusedByTheServer_halves() {
        round(10);
        limit.overloaded(now, now + 1);
        limit.overloaded(now, now + 2);
        assertThat(limit.current()).isEqualTo(4);
    }

    @Test
    void fixed_anyAnswer_staysAsItIs() {
        AdaptiveLimit fixed = AdaptiveLimit.fixed(8);
        fixed.answered(Kind.COMMIT, 0, ms(1), true);
        fixed.answered(Kind.COMMIT, ms(2), ms(60_000), true);
        fixed.overloaded(ms(70_000), ms(70_001));
        fixed.resumed(ms(90_000));
        assertThat(fixed.current()).isEqualTo(8);
    }

    /** As many requests as may be are sent at once, and answered after this time. */
    private void round(long millis) {
        long sent = now;
        now += ms(millis);
        for (int i = limit.current(); i > 0; i--) {
            limit.answered(Kind.COMMIT, sent, now, true);
        }
        now++;
    }

    private static long ms(long millis) {
        return millis * 1_000_000;
    }
}
