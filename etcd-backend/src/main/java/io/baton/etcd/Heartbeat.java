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
        /** Renews the lease; {@link #beaten} is called once all of it is answered. */
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
    private boolean keen;
    private boolean wanted;
    private long wantedSince;
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
    void keen(boolean now) {
        if (keen != now) {
            keen = now;
            // The next beat is in time if the last one counts, which it does not as long as it was not checked.
            if (now && evidence.proof().sentNanos() - lastBeat < 0) {
                want();
            } else {
                plan();
            }
        }
    }

    /** A proof is wanted that rests on a renewal sent from now on. */
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

    /** The beat was answered, or lost. */
    void beaten() {
        inFlight = false;
        plan();
    }

    private void plan() {
        cancel();
        if (!connected || inFlight) {
            return;
        }
        long longest = wanted ? PACE.toNanos() : keen ? LONGEST_BEAT.toNanos() : timing.beat();
        long next = lastBeat + Math.min(longest, timing.beat());
        timer = loop.after(Duration.ofNanos(Math.max(0, next - loop.nanoTime())), this::act);
    }

    private void act() {
        timer = null;
        lastBeat = loop.nanoTime();
        inFlight = true;
        boolean check = keen || wanted || lastBeat - lastCheck >= timing.ttl();
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
