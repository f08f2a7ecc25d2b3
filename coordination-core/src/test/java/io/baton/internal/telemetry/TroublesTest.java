package io.baton.internal.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.KeptLog;
import io.baton.Trouble;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TroublesTest {

    private Instant now = Instant.ofEpochSecond(1_000_000);
    private long nanos = -7;
    private final KeptLog log = new KeptLog();
    private final Troubles troubles = new Troubles("store:1", () -> now, () -> nanos, log);

    private void pass(int seconds) {
        now = now.plusSeconds(seconds);
        nanos += TimeUnit.SECONDS.toNanos(seconds);
    }

    @Test
    void note_again_isOneTroubleSinceTheFirstTimeWithTheLastReason() {
        Instant first = now;
        troubles.report("Cannot open", "refused");
        pass(5);
        troubles.report("Cannot read", "denied");
        troubles.report("Cannot open", "no route");

        assertThat(troubles.present())
                .containsExactly(
                        new Trouble(first, "Cannot open", "no route"), new Trouble(now, "Cannot read", "denied"));
    }

    @Test
    void note_again_isLoggedNowAndThenWithTheStore() {
        for (int second = 0; second < 60; second++) {
            troubles.report("Cannot open", "refused");
            pass(1);
        }
        troubles.report("Cannot open", "refused");

        assertThat(log.lines())
                .containsExactly(
                        "WARN store:1: Cannot open: refused",
                        "WARN store:1: Cannot open: refused (and 59 times before)");
    }

    @Test
    void reportFailed_isLoggedAndStaysNoTrouble() {
        troubles.reportFailed("Cannot write", "no permission");

        assertThat(troubles.present()).isEmpty();
        assertThat(log.lines()).containsExactly("WARN store:1: Cannot write: no permission");
    }

    @Test
    void over_isNoTroubleAnyMoreAndLoggedOnce() {
        troubles.report("Cannot open", "refused");
        pass(7);
        troubles.resolved("Cannot open");
        troubles.resolved("Cannot open");
        troubles.resolved("Never heard of");

        assertThat(troubles.present()).isEmpty();
        assertThat(log.lines())
                .containsExactly("WARN store:1: Cannot open: refused", "INFO store:1: over after 7 s: Cannot open");
    }

    @Test
    void over_clockWasSetBack_lastedForAsLongAsItDid() {
        troubles.report("Cannot open", "refused");
        pass(7);
        now = now.minusSeconds(3600);
        troubles.resolved("Cannot open");

        assertThat(log.lines()).last().isEqualTo("INFO store:1: over after 7 s: Cannot open");
    }

    @Test
    void note_thousandsAtOnce_fillNeitherMemoryNorLog() {
        for (int i = 0; i < 10_000; i++) {
            troubles.report("Cannot remove " + i, "denied");
        }
        assertThat(troubles.present()).hasSize(Troubles.MOST);
        assertThat(log.lines()).hasSize(Troubles.LINES);

        pass(60);
        troubles.report("Cannot remove 7", "denied still");

        assertThat(log.lines())
                .last()
                .isEqualTo("WARN store:1: Cannot remove 7: denied still (9980 other warnings were kept back)");
    }

    @Test
    void sessionEnded_dropsTheTroublesOfTheSessionOnly() {
        troubles.report("Cannot promote", "refused");
        troubles.reportOfSession("Cannot follow", "denied");
        troubles.sessionEnded();

        assertThat(troubles.present()).extracting(Trouble::what).containsExactly("Cannot promote");
    }

    @Test
    void clear_forgetsAll() {
        troubles.report("Cannot open", "refused");
        troubles.clear();

        assertThat(troubles.present()).isEqualTo(List.of());
    }
}
