package io.baton.zookeeper;

import io.baton.spi.support.AdaptiveLimit;
import io.baton.spi.support.AdaptiveLimit.Kind;
import io.baton.spi.support.FairQueue;
import io.baton.zookeeper.wire.Errors;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.apache.zookeeper.KeeperException.Code;

/**
 * Bounds how many requests of one kind a session has under way. The rest is queued: lines are served in turn, and the
 * requests of each line first come, first served. Whatever is sent past the queue, as a heartbeat is, has no more than one
 * window of requests ahead of it on the connection.
 *
 * <p>Nothing begins without contact. What is queued during a break begins, in turn, once there is contact again.
 */
final class RequestWindow {

    /** At most: enough to keep a distant server busy. */
    static final int SIZE = 64;

    /**
     * However long answers take: one listing serves the joins that are under way with it, so the fewer these are, the more
     * names of the line a server has to list for all of them.
     */
    static final int LEAST = 8;

    private enum State {
        IDLE,
        QUEUED,
        RUNNING
    }

    /** One participant's way through the window, which it may go several times. */
    final class Turn {

        private final String line;
        private final Runnable begin;
        private State state = State.IDLE;

        private Turn(String line, Runnable begin) {
            this.line = line;
            this.begin = begin;
        }

        /** Begins as soon as there is room, unless it has begun, or is queued. */
        void enqueue() {
            enqueue(queue);
        }

        /** As {@link #enqueue}, ahead of all that is queued by that. */
        void enqueueFirst() {
            enqueue(first);
        }

        /** Whether it has begun and not ended. */
        boolean running() {
            return state == State.RUNNING;
        }

        /** The write of this turn, sent at that time, was answered so: this shows how much may be under way. */
        void written(Code code, long sentNanos) {
            long now = clock.getAsLong();
            if (Errors.passes(code)) {
                limit.overloaded(sentNanos, now);
            } else {
                limit.answered(Kind.COMMIT, sentNanos, now, running >= limit.current() && queued() > 0);
            }
        }

        /** Gives the room back, or leaves the queue; has no effect the second time. */
        void finish() {
            State was = state;
            state = State.IDLE;
            if (was == State.RUNNING) {
                running--;
                startNext();
            } else if (was == State.QUEUED) {
                first.remove(line, this);
                queue.remove(line, this);
            }
        }

        private void enqueue(FairQueue<Turn> where) {
            if (state == State.IDLE) {
                state = State.QUEUED;
                where.add(line, this);
                startNext();
            }
        }
    }

    private final AdaptiveLimit limit;
    private final LongSupplier clock;
    private final BooleanSupplier connected;
    private final FairQueue<Turn> first = new FairQueue<>();
    private final FairQueue<Turn> queue = new FairQueue<>();
    private int running;
    private boolean advancing;

    /** So many at once, while the other says that there is contact; by a monotonic clock, in nanoseconds. */
    RequestWindow(AdaptiveLimit limit, LongSupplier clock, BooleanSupplier connected) {
        this.limit = limit;
        this.clock = clock;
        this.connected = connected;
    }

    /** A participant in this line that is to do this when its turn has come. */
    Turn turn(String line, Runnable begin) {
        return new Turn(line, begin);
    }

    /** There may be room, or contact, again. */
    void startNext() {
        if (advancing) {
            return; // what has just begun has ended at once
        }
        advancing = true;
        try {
            while (running < limit.current() && connected.getAsBoolean()) {
                Turn next = first.size() > 0 ? first.poll() : queue.poll();
                if (next == null) {
                    return;
                }
                if (running == 0) {
                    limit.resumed(clock.getAsLong());
                }
                next.state = State.RUNNING;
                running++;
                next.begin.run();
            }
        } finally {
            advancing = false;
        }
    }

    /** In contact, over another connection than before. */
    void connected() {
        limit.connected();
    }

    /** How many wait for their turn. */
    int queued() {
        return first.size() + queue.size();
    }
}
