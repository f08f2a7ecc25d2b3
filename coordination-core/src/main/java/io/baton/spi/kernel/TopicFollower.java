package io.baton.spi.kernel;

import io.baton.CoordinationException;
import io.baton.Telemetry.Request.Kind;
import io.baton.spi.kernel.StepWire.Reply;
import io.baton.spi.kernel.StepWire.Topic;
import io.baton.spi.support.Pauses;
import java.util.function.Consumer;

/**
 * Follows one topic across contacts: reads it at first, and again whenever its version is another than the one before the
 * last read. The version comes with the subscription, with changes, and with beats, as an event of a change may be lost.
 */
abstract class TopicFollower {

    /** Refusals in a row, after which beats are no reason to try again: what is read may be large. */
    private static final int FEW = 4;

    final KernelSession session;
    private final Topic topic;
    private boolean stopped;
    private boolean gap;
    private boolean reading;
    private boolean read;
    private long latest;
    private long covered;
    private boolean current;
    private int follows;
    private int followRefusals;
    private int readRefusals;
    private boolean retrying;
    private boolean troubled;

    TopicFollower(KernelSession session, Topic topic) {
        this.session = session;
        this.topic = topic;
    }

    Topic topic() {
        return topic;
    }

    /** Reads the topic by {@link #reply}, and tells the listener what is new. */
    abstract void read();

    /** Changes may have been missed, or undone: the next read is of everything. */
    abstract void forget();

    /** Without contact, or refused by the store: changes are not told. */
    void interrupted() {}

    /** All that is new has been told, and changes are told again. */
    void resumed() {}

    boolean isStopped() {
        return stopped;
    }

    /** A contact has begun. */
    final void attached(boolean sameHistory) {
        reading = false;
        gap = true;
        if (!sameHistory) {
            read = false;
        }
        follow();
    }

    /** A contact has ended. */
    final void detached() {
        if (!stopped) {
            interrupt();
        }
    }

    final void stop() {
        stopped = true;
        resolveTrouble();
        session.stopped(this);
    }

    /** The topic has this version. */
    final void version(long now) {
        latest = now;
        if (!retrying || readRefusals < FEW) {
            readIfNew();
        }
    }

    /** Returns the reply to a read. */
    final <T> Reply<T> reply(Consumer<T> answered) {
        return session.calls()
                .expect(
                        Kind.LIST,
                        answer -> {
                            reading = false;
                            if (!stopped) {
                                answered.accept(answer);
                                if (read) {
                                    settle();
                                }
                                readIfNew();
                            }
                        },
                        this::readRefused,
                        () -> read = false);
    }

    /** What was told does not lead to what is: everything is read again. */
    final void readAgain() {
        read = false;
    }

    private void follow() {
        if (!stopped && session.isAttached()) {
            int own = ++follows;
            session.wire()
                    .follow(
                            topic,
                            session.calls()
                                    .expect(Kind.WATCH, this::followed, why -> followRefused(why, own), () -> {}));
        }
    }

    private void followed(long version) {
        followRefusals = 0;
        version(version);
        if (read && covered == latest) {
            gap = false;
        }
        if (read && !reading && covered == latest) {
            settle();
        }
    }

    /** Beats show the topic's version meanwhile. */
    private void followRefused(CoordinationException why, int own) {
        if (!stopped) {
            followRefusals++;
            report(why);
            session.loop().after(Pauses.afterRefusals(followRefusals, session.loop()), () -> {
                if (own == follows) {
                    follow();
                }
            });
        }
    }

    private void readIfNew() {
        if (!stopped && !reading && session.isAttached() && !(read && covered == latest)) {
            if (gap) {
                forget();
            }
            gap = false;
            reading = true;
            read = true;
            covered = latest;
            read();
        }
    }

    private void readRefused(CoordinationException why) {
        reading = false;
        read = false;
        if (!stopped) {
            readRefusals++;
            report(why);
            interrupt();
            readLater();
        }
    }

    /** At first each beat tries it, too, as it shows the version. */
    private void readLater() {
        if (!retrying) {
            retrying = true;
            session.loop().after(Pauses.afterRefusals(readRefusals, session.loop()), () -> {
                retrying = false;
                readIfNew();
            });
        }
    }

    private void interrupt() {
        if (current) {
            current = false;
            interrupted();
        }
    }

    /** What is new in this contact has been told. */
    private void settle() {
        readRefusals = 0;
        if (followRefusals == 0) {
            resolveTrouble();
        }
        if (!current) {
            current = true;
            resumed();
        }
    }

    private void report(CoordinationException why) {
        troubled = true;
        session.troubled(trouble(), String.valueOf(why.getMessage()));
    }

    private void resolveTrouble() {
        if (troubled) {
            troubled = false;
            session.resolved(trouble());
        }
    }

    private String trouble() {
        return "Cannot follow " + topic;
    }
}
