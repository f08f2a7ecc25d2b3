package io.baton.internal.session;

import io.baton.internal.telemetry.Troubles;
import io.baton.recipe.ClientLoop;
import io.baton.recipe.Texts;
import io.baton.spi.Loop;
import io.baton.spi.Session;
import java.time.Duration;

/**
 * Watches one session's contact and reports its troubles. The session itself goes on trying, and reports none of these.
 * On the loop.
 */
final class ContactWatch {

    static final String OUT = "Out of contact";
    static final String UNPROVEN = "In contact, but nothing proves that the session lives";
    static final String BREAKS = "Contact breaks again and again";

    /** This many breaks within {@link #LATELY} are reported. */
    static final int MANY_BREAKS = 5;

    static final Duration LATELY = Duration.ofMinutes(1);

    private final ClientLoop loop;
    private final Session session;
    private final Troubles troubles;
    // The times of the last breaks, each in place of the oldest.
    private final long[] breaksAt = new long[MANY_BREAKS];
    private int breaks;
    private boolean connected;
    private long since;
    private Loop.Timer timer;

    /** Starts out of contact. */
    ContactWatch(ClientLoop loop, Session session, Troubles troubles) {
        this.loop = loop;
        this.session = session;
        this.troubles = troubles;
        this.since = loop.nanoTime();
        this.timer = later();
    }

    void connected() {
        connected = true;
        since = loop.nanoTime();
        troubles.resolved(OUT);
    }

    void suspended() {
        connected = false;
        since = loop.nanoTime();
        troubles.resolved(UNPROVEN);
        breaks++;
        breaksAt[breaks % MANY_BREAKS] = since;
        long earliest = breaksAt[(breaks + 1) % MANY_BREAKS];
        if (breaks >= MANY_BREAKS && since - earliest <= LATELY.toNanos()) {
            troubles.reportOfSession(
                    BREAKS, MANY_BREAKS + " times within " + Texts.of(LATELY) + " or less, the last time: " + why());
        }
    }

    void stop() {
        timer.cancel();
    }

    private Loop.Timer later() {
        return loop.after(session.timeout().dividedBy(4), this::check);
    }

    private void check() {
        timer = later();
        long now = loop.nanoTime();
        if (!connected && now - since >= session.timeout().dividedBy(2).toNanos()) {
            troubles.reportOfSession(OUT, why() + "; it goes on trying");
        }
        // A session without holds need not always have a proof.
        if (connected
                && session.proof().remainingNanos(now)
                        < -session.timeout().dividedBy(2).toNanos()) {
            troubles.reportOfSession(
                    UNPROVEN, session.trouble().orElse("no request that would prove it was answered in time"));
        } else {
            troubles.resolved(UNPROVEN);
        }
        if (breaks > 0 && now - breaksAt[breaks % MANY_BREAKS] > LATELY.toNanos()) {
            troubles.resolved(BREAKS);
        }
    }

    private String why() {
        return session.trouble().orElse("no answer");
    }
}
