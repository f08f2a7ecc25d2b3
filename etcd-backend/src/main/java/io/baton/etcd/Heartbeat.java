package io.baton.etcd;

import io.baton.spi.Loop;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Decides when a session renews its lease: every beat, and, while it is keen (somebody holds or is next in line) or a
 * better proof was asked for, with a check after it, which makes the renewal count. A session that is not keen checks
 * once in a time to live: a member without a quorum may go on answering renewals, and has to be left.
 */
final class Heartbeat {

    /** What a heartbeat can do. */
    interface Heart {
        /** Renews the lease; {@link #beatDone} is called once all of it is answered. */
        void beat(boolean check);
    }

    /** For a proof that cannot be had, as while the leader changes. */
    private static final Duration PACE = Duration.ofMillis(50);

    /** While keen: so late an entry that somebody has removed is noticed, however long the time to live. */
    private static final Duration LONGEST_BEAT = Duration.ofSeconds(5);

    private final Loop loop;
    private final Evidence evidence;
    private final Heart heart;
    private Timing timing;
    private boolean connected;
    private boolean provesEachBeat;
    private boolean proofRequested;
    private long proofRequestedAt;
    private boolean inFlight;
    private long lastBeat;
    private long lastCheck;
    private Loop.@Nullable Timer timer;

    Heartbeat(Loop loop, Timing timing, Evidence evidence, Heart heart) {
        this.loop = loop;
        this.timing = timing;
        this.evidence = evidence;
        this.heart = heart;
        this.lastBeat = loop.nanoTime();
        this.lastCheck = lastBeat;
    }

    void timing(Timing granted) {
        timing = granted;
    }

    /** In contact; the lease has just been looked at. */
    void connected() {
        connected = true;
        inFlight = false;
        lastBeat = loop.nanoTime() - timing.beat();
        plan();
    }

    void stopped() {
        connected = false;
        inFlight = false;
        cancel();
    }

    /** Whether somebody holds or is next in line. */
    void proveEachBeat(boolean now) {
        if (provesEachBeat != now) {
            provesEachBeat = now;
            // The next beat is in time if the last one counts, which it does not as long as it was not checked.
            if (now && evidence.proof().sentNanos() - lastBeat < 0) {
                requestProof();
            } else {
                plan();
            }
        }
    }

    /** A proof is wanted that rests on a renewal sent from now on. */
    void requestProof() {
        if (!proofRequested) {
            proofRequested = true;
            proofRequestedAt = loop.nanoTime();
            plan();
        }
    }

    /** The proof has become better. */
    void proven() {
        if (proofRequested && evidence.proof().sentNanos() - proofRequestedAt >= 0) {
            proofRequested = false;
        }
    }

    /** The beat was answered, or lost. */
    void beatDone() {
        inFlight = false;
        plan();
    }

    private void plan() {
        cancel();
        if (!connected || inFlight) {
            return;
        }
        long longest = proofRequested ? PACE.toNanos() : provesEachBeat ? LONGEST_BEAT.toNanos() : timing.beat();
        long next = lastBeat + Math.min(longest, timing.beat());
        timer = loop.after(Duration.ofNanos(Math.max(0, next - loop.nanoTime())), this::onTimer);
    }

    private void onTimer() {
        timer = null;
        lastBeat = loop.nanoTime();
        inFlight = true;
        boolean check = provesEachBeat || proofRequested || lastBeat - lastCheck >= timing.ttl();
        if (check) {
            lastCheck = lastBeat;
        }
        heart.beat(check);
    }

    private void cancel() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }
}
