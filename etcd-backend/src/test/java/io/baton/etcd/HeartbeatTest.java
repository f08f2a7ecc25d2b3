package io.baton.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import io.baton.spi.support.SendStamp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When a session renews its lease, and when it checks. Time to live 4 s, a beat each second; times are in milliseconds. */
class HeartbeatTest {

    private final HandWire loop = new HandWire();
    private final Timing timing = Timing.of(Duration.ofSeconds(4));
    private final Evidence evidence = new Evidence(loop, timing);
    private final List<String> beats = new ArrayList<>();
    private final long began = loop.nanoTime();
    private final Heartbeat heartbeat =
            new Heartbeat(loop, timing, evidence, check -> beats.add(at() + (check ? " check" : "")));

    @Test
    void connected_renewsAtOnceAndThenEachBeat() {
        heartbeat.connected();
        pass(3_500);

        assertThat(beats).containsExactly("0", "1000", "2000", "3000");
    }

    @Test
    void beat_notAnswered_noOtherIsSent() {
        heartbeat.connected();
        loop.pass(Duration.ofSeconds(5));
        heartbeat.proveEachBeat(true);
        loop.pass(Duration.ofSeconds(5));
        assertThat(beats).containsExactly("0");

        heartbeat.beatDone();
        loop.pass(Duration.ZERO);
        assertThat(beats).containsExactly("0", "10000 check");
    }

    @Test
    void stopped_sendsNothingMore() {
        heartbeat.connected();
        pass(500);
        heartbeat.stopped();
        pass(5_000);
        heartbeat.requestProof();
        pass(5_000);

        assertThat(beats).containsExactly("0");
    }

    @Test
    void connected_afterABeatWithoutAnswer_renewsAtOnce() {
        heartbeat.connected();
        loop.pass(Duration.ofMillis(300));
        heartbeat.stopped();
        heartbeat.connected();
        loop.pass(Duration.ZERO);

        assertThat(beats).containsExactly("0", "300");
    }

    /** A member without a quorum may go on answering renewals. */
    @Test
    void notKeen_checksOnceInATimeToLive() {
        heartbeat.connected();
        pass(13_500);

        assertThat(beats)
                .filteredOn(beat -> beat.endsWith("check"))
                .containsExactly("4000 check", "8000 check", "12000 check");
        assertThat(beats).hasSize(14);
    }

    @Test
    void keen_lastBeatIsProven_checksWithTheNextOne() {
        heartbeat.connected();
        loop.pass(Duration.ZERO);
        prove();
        heartbeat.beatDone();
        loop.pass(Duration.ofMillis(500));

        heartbeat.proveEachBeat(true);
        loop.pass(Duration.ofMillis(499));
        assertThat(beats).containsExactly("0");
        loop.pass(Duration.ofMillis(1));
        assertThat(beats).containsExactly("0", "1000 check");
    }

    @Test
    void keen_lastBeatIsNotProven_beatsAtOnceWithACheck() {
        heartbeat.connected();
        pass(1_500);

        heartbeat.proveEachBeat(true);
        loop.pass(Duration.ZERO);

        assertThat(beats).containsExactly("0", "1000", "1500 check");
    }

    @Test
    void keen_noLonger_checksNoMore() {
        heartbeat.proveEachBeat(true);
        heartbeat.connected();
        proveEach(1_500);
        assertThat(beats).containsExactly("0 check", "1000 check");

        heartbeat.proveEachBeat(false);
        proveEach(2_000);
        assertThat(beats).containsExactly("0 check", "1000 check", "2000", "3000");
    }

    /** It cannot be had while the leader changes; so it is asked for again and again, but not without a pause. */
    @Test
    void want_noBetterProof_beatsEachFiftyMillisecondsAtFirst() {
        heartbeat.connected();
        pass(500);
        heartbeat.requestProof();
        pass(160);

        assertThat(beats).containsExactly("0", "500 check", "550 check", "600 check", "650 check");
    }

    /** It may be refused until an operator acts, to all clients. */
    @Test
    void want_noBetterProofForLong_beatsEverMoreSlowlyAndAsARegularBeatAtTheLeast() {
        heartbeat.connected();
        pass(500);
        heartbeat.requestProof();
        pass(10_000);

        assertThat(beats).hasSizeBetween(14, 34);
        int before = beats.size();
        pass(2_000);
        assertThat(beats.size() - before).isBetween(2, 4);
    }

    @Test
    void want_proofComesAfterLong_theNextOneIsAskedForQuickly() {
        heartbeat.connected();
        heartbeat.requestProof();
        pass(10_000);
        prove();
        pass(500);
        beats.clear();

        heartbeat.requestProof();
        pass(160);

        assertThat(beats).hasSizeBetween(3, 4);
    }

    /** A place that is next in line, or other leases, must not wait for the slow pace. */
    @Test
    void want_noBetterProofForLongAndThenForANewReason_beatsQuicklyAgain() {
        for (Runnable reason : List.<Runnable>of(() -> heartbeat.proveEachBeat(true), heartbeat::requestProofAnew)) {
            heartbeat.connected();
            heartbeat.requestProof();
            pass(10_000);
            beats.clear();

            reason.run();
            pass(160);

            assertThat(beats).hasSizeBetween(3, 4);
        }
    }

    @Test
    void want_noBetterProof_whatWasRefusedIsRepeatedWithFewOfTheBeats() {
        heartbeat.connected();
        pass(500);
        heartbeat.requestProof();
        int repeated = 0;
        for (int i = 0; i < 10_000; i++) {
            int before = beats.size();
            pass(1);
            repeated += beats.size() > before && heartbeat.repeatsRefused() ? 1 : 0;
        }

        assertThat(repeated).isBetween(8, 16).isLessThan(beats.size());
    }

    @Test
    void proven_byABeatSinceItWasWanted_isEnough() {
        heartbeat.connected();
        pass(500);
        heartbeat.requestProof();
        loop.pass(Duration.ZERO);
        assertThat(beats).containsExactly("0", "500 check");
        prove();
        heartbeat.beatDone();
        pass(900);
        assertThat(beats).containsExactly("0", "500 check");
        pass(200);

        assertThat(beats).containsExactly("0", "500 check", "1500");
    }

    @Test
    void proven_byABeatFromBeforeItWasWanted_isNotEnough() {
        heartbeat.connected();
        loop.pass(Duration.ZERO);
        loop.pass(Duration.ofMillis(200));
        heartbeat.requestProof();
        proveAsOf(began);
        heartbeat.beatDone();
        loop.pass(Duration.ZERO);

        assertThat(beats).containsExactly("0", "200 check");
    }

    @Test
    void proven_nothingIsWanted_changesNothing() {
        heartbeat.connected();
        proveEach(2_500);

        assertThat(beats).containsExactly("0", "1000", "2000");
    }

    @Test
    void timing_longerTimeGranted_beatsLessOften() {
        heartbeat.timing(Timing.of(Duration.ofSeconds(8)));
        heartbeat.connected();
        pass(4_500);

        assertThat(beats).containsExactly("0", "2000", "4000");
    }

    /** Each beat is answered at once, and proves nothing. */
    private void pass(long millis) {
        for (long i = 0; i <= millis; i++) {
            int before = beats.size();
            loop.pass(Duration.ofMillis(i == 0 ? 0 : 1));
            if (beats.size() > before) {
                heartbeat.beatDone();
            }
        }
    }

    /** Each beat is answered at once, and proves what it has renewed. */
    private void proveEach(long millis) {
        for (long i = 0; i <= millis; i++) {
            int before = beats.size();
            loop.pass(Duration.ofMillis(i == 0 ? 0 : 1));
            if (beats.size() > before) {
                prove();
                heartbeat.beatDone();
            }
        }
    }

    private void prove() {
        proveAsOf(loop.nanoTime());
    }

    private void proveAsOf(long nanos) {
        evidence.granted(new SendStamp(nanos, nanos / 1_000_000, 0));
        assertThat(evidence.proof().sentNanos()).isEqualTo(nanos);
        heartbeat.proven();
    }

    private long at() {
        return (loop.nanoTime() - began) / 1_000_000;
    }
}
