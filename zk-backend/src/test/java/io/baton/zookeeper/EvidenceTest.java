package io.baton.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.spi.Loop;
import io.baton.spi.support.SendStamp;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What proves that a session is alive, and what does not. Tick 2 s, timeout 10 s; times are in milliseconds. */
class EvidenceTest {

    private final HandLoop loop = new HandLoop();
    private final Timing timing = Timing.of(Duration.ofSeconds(10), Duration.ofSeconds(2));
    private Evidence evidence = new Evidence(loop, timing);

    @BeforeEach
    void connect() {
        evidence = new Evidence(loop, timing);
        evidence.connectionChanged();
        evidence.created(evidence.stamp());
    }

    @Test
    void committed_onceWhenTheOldProofHasRunOut_provesNothing() {
        answerRead(20_000, 20_050);

        assertThat(commit(22_100, 22_200)).isFalse();
        assertThat(evidence.usefulFrom(0) / 1_000_000).isEqualTo(22_200 + 1_000);
    }

    @Test
    void committed_againHalfATickLaterWhenTheOldProofHasRunOut_countsFromTheSendOfTheTouch() {
        answerRead(20_000, 20_050);
        commit(22_100, 22_200);
        assertThat(commit(23_199, 23_200)).isFalse();

        assertThat(commit(23_200, 23_250)).isTrue();
        assertThat(deadlineMillis()).isEqualTo(20_000 + 10_000 - 150);
    }

    @Test
    void committed_againWhenTheOldProofHasRunOut_newerTouchesCountAtOnce() {
        answerRead(20_000, 20_050);
        commit(22_100, 22_200);
        answerRead(22_300, 22_350);

        assertThat(commit(24_400, 24_450)).isTrue();
        assertThat(deadlineMillis()).isEqualTo(22_300 + 10_000 - 150);
    }

    @Test
    void committed_againOnAnotherConnectionWhenTheOldProofHasRunOut_provesNothing() {
        answerRead(20_000, 20_050);
        commit(22_100, 22_200);
        evidence.connectionChanged();

        assertThat(commit(23_300, 23_350)).isFalse();
    }

    /** It waits for its half tick, whatever else becomes ripe meanwhile. */
    @Test
    void committed_againTooSoonWhenTheOldProofHasRunOut_doesNotBeginAnew() {
        answerRead(20_000, 20_050);
        answerRead(20_200, 20_250);
        commit(22_100, 22_150);
        assertThat(commit(22_300, 22_350)).isFalse();

        // And then the newer one counts as well.
        assertThat(commit(23_150, 23_160)).isTrue();
        assertThat(deadlineMillis()).isEqualTo(20_200 + 10_000 - 150);
    }

    @Test
    void usefulFrom_severalTouches_isATickAfterTheFirstThatNoCommitHasShown() {
        assertThat(evidence.usefulFrom(4_711)).isEqualTo(4_711);
        answerRead(100, 150);
        answerRead(2_000, 2_050);
        assertThat(evidence.usefulFrom(0) / 1_000_000).isEqualTo(150 + 2_000);
        commit(2_200, 2_250);

        assertThat(evidence.usefulFrom(0) / 1_000_000).isEqualTo(2_050 + 2_000);
    }

    @Test
    void answered_readsAlone_proveNothing() {
        for (int at = 0; at < 60_000; at += 500) {
            answerRead(at, at + 10);
        }

        assertThat(left()).isNegative();
    }

    @Test
    void committed_aTickAfterTheAcknowledgement_countsFromTheSendOfTheTouch() {
        answerRead(100, 150);

        assertThat(commit(2_150, 2_200)).isTrue();
        assertThat(deadlineMillis()).isEqualTo(100 + 10_000 - 150);
    }

    @Test
    void committed_lessThanATickAfterTheAcknowledgement_provesNothing() {
        answerRead(100, 150);

        assertThat(commit(2_149, 2_200)).isFalse();
    }

    @Test
    void committed_aTickAfterTheSendButNotTheAcknowledgement_provesNothing() {
        // Our own link was slow: the server may have seen the touch late.
        answerRead(100, 1_900);

        assertThat(commit(2_200, 2_300)).isFalse();
    }

    @Test
    void committed_onAnotherConnection_provesNothing() {
        answerRead(100, 150);
        evidence.connectionChanged();

        assertThat(commit(5_000, 5_100)).isFalse();
    }

    @Test
    void committed_backOnAnotherConnection_countsFromTheNewestRequestAnsweredBeforeTheBreak() {
        evidence.created(evidence.stamp());
        answerRead(100, 150);
        answerRead(120, 160);
        evidence.disconnected();
        loop.millis = 1_000;
        evidence.reconnected();

        assertThat(commit(1_000, 1_100)).isTrue();
        assertThat(deadlineMillis()).isEqualTo(120 + 10_000 - 150);
    }

    @Test
    void committed_backAndAnsweredInAnotherOrder_countsFromTheNewestAllTheSame() {
        loop.millis = 100;
        SendStamp early = evidence.stamp();
        answerRead(120, 160);
        evidence.answered(early);
        evidence.disconnected();
        loop.millis = 1_000;
        evidence.reconnected();

        assertThat(commit(1_000, 1_100)).isTrue();
        assertThat(deadlineMillis()).isEqualTo(120 + 10_000 - 150);
    }

    /** It goes out on the new connection, but is of the time before. */
    @Test
    void committed_askedForWhileOutOfContact_provesNothing() {
        answerRead(100, 150);
        evidence.disconnected();
        loop.millis = 1_000;
        SendStamp between = evidence.stamp();
        evidence.reconnected();

        assertThat(evidence.committed(between)).isFalse();
    }

    @Test
    void committed_backButAnsweredOnlyWhenTheOldProofHasRunOut_provesNothing() {
        evidence.created(evidence.stamp());
        answerRead(8_000, 8_100);
        evidence.disconnected();
        loop.millis = 9_000;
        evidence.reconnected();

        assertThat(commit(9_800, 9_850)).isFalse();
    }

    @Test
    void committed_brokenAgainSinceItCameBack_provesNothing() {
        evidence.created(evidence.stamp());
        answerRead(100, 150);
        evidence.disconnected();
        evidence.reconnected();
        loop.millis = 1_000;
        SendStamp old = evidence.stamp();
        evidence.disconnected();
        loop.millis = 2_000;

        assertThat(evidence.committed(old)).isFalse();
    }

    @Test
    void committed_connectedWithoutABreakThatWasTold_provesNothing() {
        evidence.created(evidence.stamp());
        answerRead(100, 150);
        evidence.reconnected();

        assertThat(commit(1_000, 1_100)).isFalse();
    }

    @Test
    void committed_backWithoutAnythingAnsweredBefore_provesNothing() {
        evidence.created(evidence.stamp());
        evidence.disconnected();
        evidence.reconnected();

        assertThat(commit(1_000, 1_100)).isFalse();
    }

    @Test
    void committed_sentOnTheOldConnection_provesNothing() {
        answerRead(100, 150);
        loop.millis = 3_000;
        SendStamp old = evidence.stamp();
        evidence.connectionChanged();
        answerRead(3_100, 3_150);
        loop.millis = 9_000;

        assertThat(evidence.committed(old)).isFalse();
    }

    @Test
    void answered_sentOnTheOldConnection_provesNothing() {
        loop.millis = 100;
        SendStamp old = evidence.stamp();
        evidence.connectionChanged();
        loop.millis = 150;
        evidence.answered(old);

        assertThat(evidence.touches()).isZero();
        assertThat(commit(5_000, 5_100)).isFalse();
    }

    /** One each sixteenth of a tick. */
    @Test
    void answered_manyReads_keepsThoseThatAreFarEnoughApart() {
        for (int at : new int[] {0, 124, 125, 249, 250, 300}) {
            answerRead(at, at);
        }

        assertThat(evidence.touches()).isEqualTo(3);
    }

    @Test
    void answered_olderThanTheTimeout_isDroppedAndNothingYounger() {
        answerRead(1_000, 1_000);
        answerRead(11_000, 11_000);
        assertThat(evidence.touches()).isEqualTo(2);
        answerRead(11_125, 11_125);

        assertThat(evidence.touches()).isEqualTo(2);
    }

    @Test
    void committed_twice_restsOnTheNewestTouchOldEnough() {
        answerRead(100, 150);
        answerRead(1_000, 1_050);
        answerRead(2_000, 2_050);

        assertThat(commit(3_100, 3_150)).isTrue();
        assertThat(deadlineMillis()).isEqualTo(1_000 + 10_000 - 150);
    }

    @Test
    void committed_readsAnsweredWhileTheCommitWasUnderWay_provesAllTheSame() {
        int proven = 0;
        long read = 0;
        for (int beat = 0; beat < 20; beat++) {
            long sent = 5_000 + beat * 2_400L;
            for (; read < sent; read += 150) {
                answerRead(read, read + 10);
            }
            loop.millis = sent;
            SendStamp commit = evidence.stamp();
            for (; read < sent + 600; read += 150) {
                answerRead(read, read + 10);
            }
            proven += evidence.committed(commit) ? 1 : 0;
        }

        assertThat(proven).isEqualTo(20);
    }

    @Test
    void answered_readsOnlyForADay_keepsFewTouchesAndStillProves() {
        long at = 0;
        for (; at < 86_400_000; at += 200) {
            answerRead(at, at + 10);
        }

        // One each 200 ms for a timeout of 10 s.
        assertThat(evidence.touches()).isLessThanOrEqualTo(51);
        commit(at, at + 20);
        assertThat(commit(at + 1_020, at + 1_040)).isTrue();
        assertThat(deadlineMillis()).isBetween(at - 1_300 + 9_850, at - 1_000 + 9_850);
    }

    @Test
    void timing_smallerTimeoutGranted_shortensWhatWasProven() {
        answerRead(100, 150);
        commit(2_150, 2_200);

        evidence.timing(Timing.of(Duration.ofSeconds(8), Duration.ofSeconds(2)));

        assertThat(deadlineMillis()).isEqualTo(100 + 8_000 - 130);
    }

    @Test
    void created_session_countsFromBeforeItWasAskedFor() {
        loop.millis = 1_000;
        SendStamp opened = evidence.stamp();
        loop.millis = 1_700;

        assertThat(evidence.created(opened)).isTrue();
        assertThat(deadlineMillis()).isEqualTo(1_000 + 10_000 - 150);
    }

    /** What was sent earlier proves less, and takes nothing away. */
    @Test
    void created_askedForBeforeWhatIsProven_leavesTheProof() {
        loop.millis = 1_000;
        SendStamp early = evidence.stamp();
        loop.millis = 2_000;
        evidence.created(evidence.stamp());

        assertThat(evidence.created(early)).isFalse();
        assertThat(deadlineMillis()).isEqualTo(2_000 + 10_000 - 150);
    }

    private void answerRead(long sent, long acknowledged) {
        loop.millis = sent;
        SendStamp stamp = evidence.stamp();
        loop.millis = acknowledged;
        evidence.answered(stamp);
    }

    private boolean commit(long sent, long acknowledged) {
        loop.millis = sent;
        SendStamp stamp = evidence.stamp();
        loop.millis = acknowledged;
        return evidence.committed(stamp);
    }

    private long left() {
        return evidence.proof().remainingNanos(loop.nanoTime());
    }

    private long deadlineMillis() {
        return evidence.proof().deadlineNanos() / 1_000_000;
    }

    /** A clock moved by hand; nothing is ever run. */
    private static final class HandLoop implements Loop {

        private long millis;

        @Override
        public long nanoTime() {
            return millis * 1_000_000;
        }

        @Override
        public long wallMillis() {
            return millis;
        }

        @Override
        public long randomLong() {
            return 4;
        }

        @Override
        public void execute(Runnable task) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Timer after(Duration delay, Runnable task) {
            throw new UnsupportedOperationException();
        }
    }
}
