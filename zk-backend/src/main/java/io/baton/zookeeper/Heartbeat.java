package io.baton.zookeeper;

import io.baton.spi.Loop;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Decides when a session has to speak up: a quorum commit every beat while it is keen (somebody holds or is next in
 * line) or a better proof was asked for, otherwise a read every idle time, which a later commit makes count.
 */
final class Heartbeat {

    /** What a heartbeat can do. */
    interface Heart {
        /** Sends the quorum commit, with the checks of what is held; {@link #beaten} is called once it is answered. */
        void beat();

        /** Reads something small. */
        void touch();
    }

    private final Loop loop;
    private final Evidence evidence;
    private final Heart heart;
    private Timing timing;
    private boolean connected;
    private boolean keen;
    private boolean wanted;
    private long wantedSince;
    private boolean inFlight;
    private long lastBeat;
    private long lastTouch;
    private Loop.@Nullable Timer timer;

    Heartbeat(Loop loop, Timing timing, Evidence evidence, Heart heart) {
        this.loop = loop;
        this.timing = timing;
        this.evidence = evidence;
        this.heart = heart;
        this.lastBeat = loop.nanoTime() - timing.beat();
        this.lastTouch = lastBeat;
    }

    void timing(Timing smallest) {
        timing = smallest;
    }

    void connected() {
        connected = true;
        inFlight = false;
        touch();
    }

    void stopped() {
        connected = false;
        inFlight = false;
        cancel();
    }

    /** Whether somebody holds or is next in line. */
    void keen(boolean now) {
        if (keen != now) {
            keen = now;
            plan();
        }
    }

    /** A proof is wanted that rests on a request sent from now on. */
    void want() {
        if (!wanted) {
            wanted = true;
            wantedSince = loop.nanoTime();
            plan();
        }
    }

    /** The proof has become better. */
    void proven() {
        if (wanted && evidence.proof().sentNanos() - wantedSince >= 0) {
            wanted = false;
        }
    }

    /** A touch was answered: a wanted proof may now have something to rest on. */
    void touched() {
        if (wanted || keen) {
            plan();
        }
    }

    /** The beat was answered; {@code again} at once if a part of it could not be checked. */
    void beaten(boolean again) {
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
        long next = keen || wanted ? nextBeat(now) : lastTouch + timing.idle();
        timer = loop.after(Duration.ofNanos(Math.max(0, next - now)), this::act);
    }

    private long nextBeat(long now) {
        long useful = evidence.usefulFrom(now);
        if (wanted) {
            // Paced, for commits that never prove anything, as where the chroot may not be read.
            long paced = lastBeat + timing.tick() / 4;
            return useful - paced > 0 ? useful : paced;
        }
        long due = lastBeat + timing.beat();
        return useful - due > 0 ? useful : due;
    }

    private void act() {
        timer = null;
        if (keen || wanted) {
            lastBeat = loop.nanoTime();
            lastTouch = lastBeat;
            inFlight = true;
            heart.beat();
        } else {
            touch();
        }
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
