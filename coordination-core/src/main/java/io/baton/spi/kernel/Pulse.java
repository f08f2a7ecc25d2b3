package io.baton.spi.kernel;

import io.baton.spi.Loop;
import io.baton.spi.Proof;
import io.baton.spi.kernel.StepWire.Beaten;
import io.baton.spi.kernel.StepWire.Reply;
import io.baton.spi.kernel.StepWire.Topic;
import io.baton.spi.support.RunAll;
import io.baton.spi.support.SendStamp;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a session alive by beats, and knows until when it is. A proof counts from the send of an attach, a beat or a
 * join that was answered in its own contact: the store renewed the session later than that.
 */
final class Pulse {

    private static final Duration FIXED_MARGIN = Duration.ofMillis(50);

    /** How often those that wait are looked at, at least. */
    static final Duration LOOK = Duration.ofSeconds(1);

    private final KernelSession session;
    private final Loop loop;
    private final Duration ttl;
    private final long marginNanos;
    private volatile Proof proof;
    private boolean underWay;
    private boolean again;
    private long nextNanos;
    private Loop.@Nullable Timer timer;

    Pulse(KernelSession session, Loop loop, Duration ttl) {
        this.session = session;
        this.loop = loop;
        this.ttl = ttl;
        marginNanos = margin(ttl).toNanos();
        long opened = loop.nanoTime();
        proof = new Proof(opened, loop.wallMillis(), opened, marginNanos);
    }

    /** How much earlier than its proof plus the ttl a hold is lost. */
    static Duration margin(Duration ttl) {
        return FIXED_MARGIN.plus(ttl.dividedBy(100));
    }

    /** How often a session that waits for nothing is renewed. */
    static Duration every(Duration ttl) {
        return ttl.dividedBy(4);
    }

    Proof proof() {
        return proof;
    }

    /** Whether the store may have ended the session. */
    boolean hasRunOut() {
        return proof.carefulRemainingNanos(loop.nanoTime(), loop.wallMillis()) <= 0;
    }

    /** A renewal that was sent then was answered. Returns whether that proves more than before. */
    boolean renewed(SendStamp sent) {
        Proof now = new Proof(sent.nanos(), sent.wallMillis(), sent.nanos() + ttl.toNanos() - marginNanos, marginNanos);
        if (!now.betterThan(proof)) {
            return false;
        }
        proof = now;
        return true;
    }

    /** Starts, or looks sooner than planned if something waits. */
    void plan() {
        long inNanos = pause().toNanos();
        if (timer == null || nextNanos - loop.nanoTime() > inNanos) {
            if (timer != null) {
                timer.cancel();
            }
            nextNanos = loop.nanoTime() + inNanos;
            timer = loop.after(Duration.ofNanos(inNanos), this::tick);
        }
    }

    void stop() {
        if (timer != null) {
            timer.cancel();
        }
    }

    /** The contact is over. */
    void contactBroken() {
        underWay = false;
        again = false;
    }

    /** Renews the session and looks; once more after the beat that is under way, if there is one. */
    void beat() {
        if (!session.isAttached()) {
            return;
        }
        if (underWay) {
            again = true;
            return;
        }
        List<String> looked = session.toLook();
        List<Topic> topics = session.topics();
        SendStamp sent = session.stamp();
        Reply<Beaten> reply = session.calls()
                .expectBeat(
                        answer -> {
                            over();
                            session.beaten(sent, looked, answer);
                        },
                        why -> {
                            over();
                            session.beatRefused(why);
                        });
        underWay = true; // only now: one that is not expected ends with no contact, and would be the last
        session.wire().beat(looked, topics, reply);
    }

    private void over() {
        underWay = false;
        if (again) {
            again = false;
            beat();
        }
    }

    private void tick() {
        timer = null;
        RunAll.all(session::dropIfSilent, this::beat, this::plan);
    }

    private Duration pause() {
        Duration beats = every(ttl);
        return session.isWaiting() && beats.compareTo(LOOK) > 0 ? LOOK : beats;
    }
}
