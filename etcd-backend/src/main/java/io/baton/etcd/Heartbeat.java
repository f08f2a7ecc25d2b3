package io.baton.etcd;

import io.baton.spi.Loop;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Schedules the renewals of a session's lease, one every beat. While a place holds or is next in line, or a better
 * proof is requested, a check follows each renewal, which makes it count. Otherwise it checks once in a time to live,
 * as a member without a quorum may still answer renewals and must be replaced.
 */
final class Heartbeat {

    /** Sends the requests. */
    interface Heart {
        /** Renews the lease. {@link #beatDone} is called once all requests are answered. */
        void beat(boolean check);
    }

    /** Limits the rate of the first beats for a requested proof. */
    private static final Duration PACE = Duration.ofMillis(50);

    /**
     * The number of beats at that pace. A change of the leader takes a few. After them the pause doubles with each beat,
     * up to a regular one, as a proof that is refused may be so until an operator acts.
     */
    private static final int QUICK = 4;

    /**
     * While places hold or are next in line, bounds how late a removed entry is noticed, however long the time to live.
     */
    private static final Duration LONGEST_BEAT = Duration.ofSeconds(5);

    private final Loop loop;
    private final Evidence evidence;
    private final Heart heart;
    private Timing timing;
    private boolean connected;
    private boolean provesEachBeat;
    private boolean proofRequested;
    private long proofRequestedAt;
    // The beats for a proof since it was requested, or since the last one.
    private int unproven;
    private long pause = PACE.toNanos();
    private boolean inFlight;
    private long lastBeat;
    private long lastCheck;
    private long lastRegular;
    private boolean regular;
    private Loop.@Nullable Timer timer;

    Heartbeat(Loop loop, Timing timing, Evidence evidence, Heart heart) {
        this.loop = loop;
        this.timing = timing;
        this.evidence = evidence;
        this.heart = heart;
        this.lastBeat = loop.nanoTime();
        this.lastCheck = lastBeat;
        this.lastRegular = lastBeat;
    }

    void timing(Timing granted) {
        timing = granted;
    }

    /** In contact. The lease has just been checked. */
    void connected() {
        connected = true;
        inFlight = false;
        lastBeat = loop.nanoTime() - timing.beat();
        lastRegular = lastBeat;
        quicken();
        plan();
    }

    void stopped() {
        connected = false;
        inFlight = false;
        cancel();
    }

    /** Sets whether a place holds or is next in line. */
    void proveEachBeat(boolean now) {
        if (provesEachBeat != now) {
            provesEachBeat = now;
            // The next beat is in time only if the last renewal counts. An unchecked one does not.
            if (now && evidence.proof().sentNanos() - lastBeat < 0) {
                requestProofAnew();
            } else {
                plan();
            }
        }
    }

    /** Requests a proof that rests on a renewal sent from now on. */
    void requestProof() {
        if (!proofRequested) {
            requestProofAnew();
        }
    }

    /** As {@link #requestProof}, for a reason that is new: at the first pace, also if one was requested before. */
    void requestProofAnew() {
        proofRequested = true;
        proofRequestedAt = loop.nanoTime();
        quicken();
        plan();
    }

    /** The proof has improved. */
    void proven() {
        quicken();
        if (proofRequested && evidence.proof().sentNanos() - proofRequestedAt >= 0) {
            proofRequested = false;
        }
    }

    /** The beat was answered, or lost. */
    void beatDone() {
        inFlight = false;
        plan();
    }

    /**
     * Whether other requests that were refused are to be repeated with this beat. Not with each beat for a proof that does
     * not come.
     */
    boolean repeatsRefused() {
        return regular || unproven <= QUICK;
    }

    private void plan() {
        cancel();
        if (!connected || inFlight) {
            return;
        }
        long next = lastBeat + (proofRequested ? Math.min(pause, regularPause()) : regularPause());
        timer = loop.after(Duration.ofNanos(Math.max(0, next - loop.nanoTime())), this::onTimer);
    }

    private void onTimer() {
        timer = null;
        lastBeat = loop.nanoTime();
        inFlight = true;
        regular = lastBeat - lastRegular >= regularPause();
        if (regular) {
            lastRegular = lastBeat;
        }
        if (proofRequested) {
            slowDown();
        }
        boolean check = provesEachBeat || proofRequested || lastBeat - lastCheck >= timing.ttl();
        if (check) {
            lastCheck = lastBeat;
        }
        heart.beat(check);
    }

    private long regularPause() {
        return provesEachBeat ? Math.min(LONGEST_BEAT.toNanos(), timing.beat()) : timing.beat();
    }

    private void quicken() {
        unproven = 0;
        pause = PACE.toNanos();
    }

    private void slowDown() {
        unproven++;
        if (unproven > QUICK) {
            long longest = Math.min(timing.beat(), PACE.toNanos() << Math.min(unproven - QUICK, 20));
            pause = longest / 2 + Math.floorMod(loop.randomLong(), longest / 2);
        }
    }

    private void cancel() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }
}
