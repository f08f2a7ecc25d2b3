package io.baton.zookeeper;

import io.baton.spi.Loop;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Schedules the requests that keep a session alive and prove it. While a place holds or is next in line, or a better
 * proof is requested, it sends a quorum commit every beat. Otherwise it sends a read every idle time, which a later
 * commit makes count, or a commit if the proof would run out.
 */
final class Heartbeat {

    /** Sends the requests. */
    interface Heart {
        /**
         * Sends the quorum commit with the checks of the held entries. {@link #beatDone} is called once it is answered.
         */
        void beat();

        /** Sends a small read. */
        void touch();
    }

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
    private long lastTouch;
    private Loop.@Nullable Timer timer;

    Heartbeat(Loop loop, Timing timing, Evidence evidence, Heart heart) {
        this.loop = loop;
        this.timing = timing;
        this.evidence = evidence;
        this.heart = heart;
    }

    void timing(Timing smallest) {
        timing = smallest;
    }

    void connected() {
        connected = true;
        inFlight = false;
        lastBeat = loop.nanoTime() - timing.beat(); // the next beat is due
        touch();
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
            plan();
        }
    }

    /** Requests a proof that rests on a request sent from now on. */
    void requestProof() {
        if (!proofRequested) {
            proofRequested = true;
            proofRequestedAt = loop.nanoTime();
            plan();
        }
    }

    /** The proof has improved. */
    void proven() {
        if (proofRequested && evidence.proof().sentNanos() - proofRequestedAt >= 0) {
            proofRequested = false;
        }
    }

    /** A touch was answered. A requested proof may now rest on it. */
    void touchDone() {
        if (proofRequested || provesEachBeat) {
            plan();
        }
    }

    /** The beat was answered. With {@code again}, a part was not checked, and the next beat is due at once. */
    void beatDone(boolean again) {
        inFlight = false;
        if (again) {
            lastBeat = loop.nanoTime() - timing.beat();
        }
        plan();
    }

    private void plan() {
        cancel();
        if (!connected || inFlight) {
            return;
        }
        long now = loop.nanoTime();
        long next = provesEachBeat || proofRequested ? nextBeat(now) : lastTouch + timing.idle();
        timer = loop.after(Duration.ofNanos(Math.max(0, next - now)), this::onTimer);
    }

    private long nextBeat(long now) {
        // Limits the rate of commits that never prove anything, for example where the chroot may not be read.
        long due = lastBeat + timing.tick() / 4;
        if (!proofRequested) {
            // The first commit after an idle time proves an old request, so the next beat is due sooner.
            long old = evidence.proof().sentNanos() + timing.old();
            long regular = lastBeat + timing.beat();
            due = later(due, old - regular < 0 ? old : regular);
        }
        return later(due, evidence.usefulFrom(now));
    }

    private static long later(long one, long other) {
        return one - other > 0 ? one : other;
    }

    private void onTimer() {
        timer = null;
        if (provesEachBeat || proofRequested || proofRunsOut()) {
            lastBeat = loop.nanoTime();
            lastTouch = lastBeat;
            inFlight = true;
            heart.beat();
        } else {
            touch();
        }
    }

    /** Whether the proof would run out before the next check. A new one would then need two commits. */
    private boolean proofRunsOut() {
        long left = evidence.proof().deadlineNanos() - loop.nanoTime();
        return left < timing.idle() * 3 / 2;
    }

    private void touch() {
        lastTouch = loop.nanoTime();
        heart.touch();
        plan();
    }

    private void cancel() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }
}
