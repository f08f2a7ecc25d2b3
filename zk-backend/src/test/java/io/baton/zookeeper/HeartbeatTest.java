package io.baton.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.spi.support.SendStamp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * When a session speaks up. Timeout 10 s, tick 2 s: a commit each 1,250 ms while keen, otherwise a read each 1,850 ms; times
 * are in milliseconds.
 */
class HeartbeatTest implements Heartbeat.Heart {

    private static final Duration TICK = Duration.ofSeconds(2);

    private final ScriptedWire loop = new ScriptedWire();
    private final Timing timing = Timing.of(Duration.ofSeconds(10), TICK);
    private final Evidence evidence = new Evidence(loop, timing);
    private final Heartbeat heartbeat = new Heartbeat(loop, timing, evidence, this);
    private final long began = loop.nanoTime();
    private final List<String> sent = new ArrayList<>();
    private boolean silent;

    @BeforeEach
    void create() {
        prove();
        assertThat(timing.beat()).isEqualTo(nanos(1_250));
        assertThat(timing.idle()).isEqualTo(nanos(1_850));
    }

    @Test
    void connected_readsAtOnceAndThenEachIdleTime() {
        heartbeat.connected();
        pass(4_000);

        assertThat(sent).containsExactly("0 touch", "1850 touch", "3700 touch");
    }

    /** A proof that has run out takes two commits to replace. */
    @Test
    void idle_proofWouldRunOutBeforeTheLookAfterTheNext_commits() {
        heartbeat.connected();
        pass(7_399);
        assertThat(sent).containsExactly("0 touch", "1850 touch", "3700 touch", "5550 touch");
        pass(1);

        assertThat(sent).endsWith("5550 touch", "7400 beat");
    }

    @Test
    void idle_proofIsEnoughUntilTheLookAfterTheNext_reads() {
        loop.pass(Duration.ofMillis(326));
        prove();
        loop.pass(Duration.ofMillis(1));
        heartbeat.connected();
        pass(7_400);

        // 327 + 4 * 1850 = 7727: what is left then, 2449, is too little; it was enough at 5877.
        assertThat(sent).containsExactly("327 touch", "2177 touch", "4027 touch", "5877 touch", "7727 beat");
    }

    @Test
    void keen_commitsAtOnceAndThenEachBeat() {
        heartbeat.proveEachBeat(true);
        heartbeat.connected();
        pass(3_000);

        assertThat(sent).containsExactly("0 touch", "0 beat", "1250 beat", "2500 beat");
    }

    /** A commit proves what was acknowledged a tick before; earlier it would be for nothing. */
    @Test
    void keen_aTouchWaitsForItsTick_commitsOnceThatIsOver() {
        heartbeat.proveEachBeat(true);
        answer(0, 100);
        heartbeat.connected();
        pass(3_000);

        assertThat(sent).containsExactly("100 touch", "2100 beat");
    }

    /** The first commit after an idle time proves something old. */
    @Test
    void keen_theProofIsOld_theNextCommitComesSooner() {
        loop.pass(Duration.ofMillis(4_000));
        heartbeat.proveEachBeat(true);
        heartbeat.connected();
        pass(1_300);

        // Due when the proof is 4,350 ms old, but not within a quarter of a tick.
        assertThat(sent).containsExactly("4000 touch", "4000 beat", "4500 beat", "5000 beat");
    }

    @Test
    void keen_theProofBecomesOldBeforeTheBeat_commitsThen() {
        loop.pass(Duration.ofMillis(3_500));
        heartbeat.proveEachBeat(true);
        heartbeat.connected();
        pass(860);

        assertThat(sent).containsExactly("3500 touch", "3500 beat", "4350 beat");
    }

    @Test
    void keen_noLonger_readsAgain() {
        heartbeat.proveEachBeat(true);
        heartbeat.connected();
        pass(100);
        heartbeat.proveEachBeat(false);
        pass(2_000);

        assertThat(sent).containsExactly("0 touch", "0 beat", "1850 touch");
    }

    @Test
    void keen_whileIdle_doesNotWaitForTheNextRead() {
        heartbeat.connected();
        pass(500);
        heartbeat.proveEachBeat(true);
        pass(0);

        assertThat(sent).containsExactly("0 touch", "500 beat");
    }

    @Test
    void want_noBetterProof_commitsEachQuarterOfATick() {
        heartbeat.connected();
        pass(300);
        heartbeat.requestProof();
        pass(1_000);

        assertThat(sent).containsExactly("0 touch", "300 beat", "800 beat", "1300 beat");
    }

    @Test
    void proven_byARequestSentSinceItWasWanted_isEnough() {
        heartbeat.connected();
        pass(300);
        heartbeat.requestProof();
        pass(0);
        prove();
        pass(2_000);

        // The look that was planned for the next commit finds that there is no need of one.
        assertThat(sent).containsExactly("0 touch", "300 beat", "800 touch");
    }

    @Test
    void proven_byARequestFromBeforeItWasWanted_isNotEnough() {
        loop.pass(Duration.ofMillis(200));
        SendStamp early = evidence.stamp();
        heartbeat.connected();
        pass(300);
        heartbeat.requestProof();
        evidence.created(early);
        heartbeat.proven();
        pass(600);

        assertThat(sent).containsExactly("200 touch", "500 beat", "1000 beat");
    }

    @Test
    void proven_nothingIsWanted_isNoReasonToStopCommitting() {
        heartbeat.proveEachBeat(true);
        heartbeat.connected();
        pass(100);
        prove();
        pass(1_200);

        assertThat(sent).containsExactly("0 touch", "0 beat", "1250 beat");
    }

    @Test
    void want_twice_isWantedFromTheFirstTimeOn() {
        heartbeat.connected();
        pass(300);
        heartbeat.requestProof();
        pass(0);
        loop.pass(Duration.ofMillis(1));
        SendStamp between = evidence.stamp();
        loop.pass(Duration.ofMillis(1));
        heartbeat.requestProof();
        evidence.created(between);
        heartbeat.proven();
        pass(1_000);

        assertThat(sent).containsExactly("0 touch", "300 beat", "800 touch");
    }

    /** What a touch's answer changes: there is something to rest on. */
    @Test
    void touched_proofIsWanted_commitsATickLaterAndNotBefore() {
        heartbeat.connected();
        pass(300);
        heartbeat.requestProof();
        pass(0);
        answer(300, 400);
        heartbeat.touchDone();
        pass(1_999);
        assertThat(sent).containsExactly("0 touch", "300 beat");
        pass(1);

        assertThat(sent).containsExactly("0 touch", "300 beat", "2400 beat");
    }

    @Test
    void touched_idle_changesNothing() {
        heartbeat.connected();
        pass(300);
        answer(0, 300);
        heartbeat.touchDone();
        pass(1_600);

        assertThat(sent).containsExactly("0 touch", "1850 touch");
    }

    @Test
    void beat_notAnswered_noOtherIsSent() {
        silent = true;
        heartbeat.proveEachBeat(true);
        heartbeat.connected();
        pass(3_000);
        heartbeat.requestProof();
        pass(1_000);
        assertThat(sent).containsExactly("0 touch", "0 beat");

        heartbeat.beatDone(false);
        pass(0);
        assertThat(sent).containsExactly("0 touch", "0 beat", "4000 beat");
    }

    @Test
    void beaten_someHaveToBeCheckedAgain_beatsAtOnce() {
        silent = true;
        heartbeat.proveEachBeat(true);
        heartbeat.connected();
        pass(100);
        heartbeat.beatDone(true);
        pass(0);

        assertThat(sent).containsExactly("0 touch", "0 beat", "100 beat");
    }

    @Test
    void stopped_sendsNothingMore() {
        heartbeat.connected();
        pass(100);
        heartbeat.stopped();
        pass(10_000);
        heartbeat.proveEachBeat(true);
        heartbeat.requestProof();
        pass(10_000);

        assertThat(sent).containsExactly("0 touch");
    }

    @Test
    void connected_againWhileABeatWasUnderWay_goesOn() {
        silent = true;
        heartbeat.proveEachBeat(true);
        heartbeat.connected();
        pass(100);
        heartbeat.stopped();
        heartbeat.connected();
        pass(0);

        assertThat(sent).containsExactly("0 touch", "0 beat", "100 touch", "100 beat");
    }

    @Test
    void timing_smallerTimeoutGranted_readsMoreOften() {
        heartbeat.timing(Timing.of(Duration.ofSeconds(8), Duration.ofMillis(500)));
        heartbeat.connected();
        pass(2_000);

        assertThat(sent).containsExactly("0 touch", "2000 touch");
    }

    @Override
    public void beat() {
        sent.add(at() + " beat");
        if (!silent) {
            loop.execute(() -> heartbeat.beatDone(false));
        }
    }

    @Override
    public void touch() {
        sent.add(at() + " touch");
    }

    private void pass(long millis) {
        loop.pass(Duration.ofMillis(millis));
    }

    /** The session is proven as of now. */
    private void prove() {
        evidence.created(evidence.stamp());
        heartbeat.proven();
    }

    /** A request that was sent then is answered then, which is not in the past. */
    private void answer(long from, long to) {
        loop.pass(Duration.ofNanos(began + nanos(to) - loop.nanoTime()));
        evidence.answered(new SendStamp(began + nanos(from), 0, 0));
    }

    private long at() {
        return (loop.nanoTime() - began) / 1_000_000;
    }

    private static long nanos(long millis) {
        return millis * 1_000_000;
    }
}
