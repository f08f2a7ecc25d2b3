package io.baton.zookeeper;

import io.baton.spi.support.AdaptiveLimit;
import io.baton.spi.support.AdaptiveLimit.Kind;
import io.baton.spi.support.FairQueue;
import io.baton.zookeeper.wire.Errors;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import org.apache.zookeeper.KeeperException.Code;

/**
 * Bounds the requests of one kind that a session has in flight, and queues the rest. Lines take turns, and the requests
 * of each line are first come, first served. A request that bypasses the queue, such as a heartbeat, has at most what
 * fits into each window of its session ahead of it on the connection.
 *
 * <p>Large requests are also bounded by their bytes, as a slow connection is kept busy by a few of them.
 *
 * <p>No request begins without contact. Requests queued during a break begin, in turn, after the reconnect.
 */
final class RequestWindow {

    /** The maximum: enough to keep a distant server busy. */
    static final int SIZE = 64;

    /**
     * The minimum, however slow the answers. One listing serves all joins in flight. With fewer joins in flight, a
     * server lists more names for all of them.
     */
    static final int LEAST = 8;

    /** While more bytes than this are in flight, no further request begins: half of the largest request, roughly. */
    static final int MOST_BYTES = 1 << 19;

    private enum State {
        IDLE,
        QUEUED,
        RUNNING
    }

    /** A participant's slot in the window. It can be used several times. */
    final class Turn {

        private final String line;
        private final IntSupplier size;
        private final Runnable begin;
        private State state = State.IDLE;
        private int bytes;

        private Turn(String line, IntSupplier size, Runnable begin) {
            this.line = line;
            this.size = size;
            this.begin = begin;
        }

        /** Begins as soon as there is room, unless the turn is running or queued. */
        void enqueue() {
            enqueue(queue);
        }

        /** As {@link #enqueue}, ahead of all turns queued by that. */
        void enqueueFirst() {
            enqueue(first);
        }

        /** Whether the turn has begun and not ended. */
        boolean running() {
            return state == State.RUNNING;
        }

        /** Adapts the limit to this answer to the turn's write, sent at that time. */
        void written(Code code, long sentNanos) {
            answered(Kind.COMMIT, code, sentNanos);
        }

        /** Adapts the limit to this answer to a request of the turn, of this kind and sent at that time. */
        void answered(Kind kind, Code code, long sentNanos) {
            long now = clock.getAsLong();
            if (Errors.passes(code)) {
                limit.overloaded(sentNanos, now);
            } else {
                limit.answered(kind, sentNanos, now, running >= limit.current() && queued() > 0);
            }
        }

        /** Releases the slot, or leaves the queue. A second call has no effect. */
        void finish() {
            State was = state;
            state = State.IDLE;
            if (was == State.RUNNING) {
                bytesInFlight -= bytes;
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
    private long bytesInFlight;
    private boolean advancing;

    /** {@code connected} returns whether there is contact. {@code clock} is monotonic, in nanoseconds. */
    RequestWindow(AdaptiveLimit limit, LongSupplier clock, BooleanSupplier connected) {
        this.limit = limit;
        this.clock = clock;
        this.connected = connected;
    }

    /** Returns a turn for this line. {@code begin} runs when it begins. */
    Turn turn(String line, Runnable begin) {
        return turn(line, () -> 0, begin);
    }

    /** As {@link #turn(String, Runnable)}, of a request or an answer of that many bytes. */
    Turn turn(String line, IntSupplier bytes, Runnable begin) {
        return new Turn(line, bytes, begin);
    }

    /** Begins queued turns if there are room and contact. */
    void startNext() {
        if (advancing) {
            return; // a turn that has just begun has ended at once
        }
        advancing = true;
        try {
            while (running < limit.current() && bytesInFlight <= MOST_BYTES && connected.getAsBoolean()) {
                Turn next = first.size() > 0 ? first.poll() : queue.poll();
                if (next == null) {
                    return;
                }
                if (running == 0) {
                    limit.resumed(clock.getAsLong());
                }
                next.state = State.RUNNING;
                next.bytes = next.size.getAsInt();
                bytesInFlight += next.bytes;
                running++;
                next.begin.run();
            }
        } finally {
            advancing = false;
        }
    }

    /** In contact on a new connection. */
    void connected() {
        limit.connected();
    }

    /** The number of queued turns. */
    int queued() {
        return first.size() + queue.size();
    }
}
