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

    final KernelSession session;
    private final Topic topic;
    private boolean stopped;
    private boolean gap;
    private boolean reading;
    private boolean read;
    private long latest;
    private long covered;
    private int refusals;

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

    /** The store refuses to show the topic. */
    void interrupted() {}

    /** The store shows it again, and all that is new has been told. */
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

    final void stop() {
        stopped = true;
        resolveTrouble();
        session.stopped(this);
    }

    /** The topic has this version. */
    final void version(long now) {
        latest = now;
        readIfNew();
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
                                settle();
                                readIfNew();
                            }
                        },
                        why -> {
                            reading = false;
                            again(why, this::readIfNew);
                        },
                        () -> read = false);
    }

    /** What was told does not lead to what is: everything is read again. */
    final void readAgain() {
        read = false;
    }

    private void follow() {
        if (!stopped && session.isAttached()) {
            session.wire()
                    .follow(
                            topic,
                            session.calls()
                                    .expect(Kind.WATCH, this::followed, why -> again(why, this::follow), () -> {}));
        }
    }

    private void followed(long version) {
        version(version);
        gap = false;
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

    private void again(CoordinationException why, Runnable what) {
        refusals++;
        read = false;
        session.troubled(trouble(), String.valueOf(why.getMessage()));
        interrupted();
        session.loop().after(Pauses.afterRefusals(refusals, session.loop()), what);
    }

    /** A read has been answered. */
    private void settle() {
        if (refusals > 0 && read) {
            resolveTrouble();
            resumed();
        }
    }

    private void resolveTrouble() {
        if (refusals > 0) {
            refusals = 0;
            session.resolved(trouble());
        }
    }

    private String trouble() {
        return "Cannot follow " + topic;
    }
}
