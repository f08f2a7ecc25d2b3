package io.baton.zookeeper;

import io.baton.spi.Loop;
import io.baton.spi.Proof;
import io.baton.spi.support.SendStamp;
import java.util.ArrayDeque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * Derives proofs that the session is alive from answered requests.
 *
 * <p>A server's answer alone proves nothing: the server may have lost its leader. A request ("touch") counts once a
 * later quorum commit on the same connection has been acknowledged. That commit must be sent at least a tick after the
 * touch's acknowledgement. By then the server has passed the touch on to the leader, and the commit shows that this
 * leader had a quorum. Deadline = send of the touch + smallest timeout negotiated - margin. Assumption: within that
 * tick, the server answers at least one of its leader's pings, which come every half tick.
 *
 * <p>A session that reconnects needs no tick. Its new server has the leader prolong it before it answers the client.
 * That is after the break, and so after the send of every request answered before the break. The newest of these counts
 * once a quorum commit on the new connection has been acknowledged.
 *
 * <p>All that holds while the old proof does. After that, the leader may have found the session expired. It still
 * prolongs such a session and commits for it, but ends it nonetheless. So one more commit is needed, sent half a tick
 * after the first was acknowledged. Assumption: the leader's thread ends a session within that time of finding it
 * expired.
 */
final class Evidence {

    /** An answered request. */
    private record Touch(SendStamp sent, long ackNanos) {}

    private final Loop loop;
    private final ArrayDeque<Touch> touches = new ArrayDeque<>();
    private Timing timing;
    private long connection;
    // The newest answered request, and its value at the last break of the connection.
    private @Nullable SendStamp newest;
    private @Nullable SendStamp beforeTheBreak;
    // A touch that a commit has shown to have reached the leader, perhaps too late, and that commit's acknowledgement.
    private @Nullable Touch late;
    private volatile Proof proof;

    Evidence(Loop loop, Timing timing) {
        this.loop = loop;
        this.timing = timing;
        long now = loop.nanoTime();
        this.proof = new Proof(now, loop.wallMillis(), now, timing.margin());
    }

    /** The best proof so far. Any thread. */
    Proof proof() {
        return proof;
    }

    SendStamp stamp() {
        return SendStamp.now(loop, connection);
    }

    /** Handles a connection made or lost: answers on the old one prove nothing about the new one. */
    void connectionChanged() {
        connection++;
        touches.clear();
        late = null;
        beforeTheBreak = null;
    }

    /** The connection has broken, after all its answers. */
    void disconnected() {
        connectionChanged();
        beforeTheBreak = newest;
    }

    /** The first contact, or a reconnect of the same session after a reported break. */
    void reconnected() {
        SendStamp before = beforeTheBreak;
        connectionChanged();
        if (before != null) {
            touches.addLast(new Touch(
                    new SendStamp(before.nanos(), before.wallMillis(), connection), loop.nanoTime() - timing.tick()));
        }
    }

    /** The server has granted less than before, so the deadline moves forward, too. */
    void timing(Timing smallest) {
        timing = smallest;
        Proof old = proof;
        long deadline = old.sentNanos() + smallest.timeout() - smallest.margin();
        if (deadline - old.deadlineNanos() < 0) {
            proof = new Proof(old.sentNanos(), old.sentWallMillis(), deadline, smallest.margin());
        }
    }

    /** A session's creation passes the leader and a quorum, so it counts at once, from before the first attempt. */
    boolean created(SendStamp opened) {
        return prove(opened);
    }

    /** A server has answered. */
    void answered(SendStamp sent) {
        if (sent.connection() != connection) {
            return;
        }
        if (newest == null || sent.nanos() - newest.nanos() > 0) {
            newest = sent;
        }
        Touch last = touches.peekLast();
        if (last == null || sent.nanos() - last.sent().nanos() >= timing.tick() / 16) {
            touches.addLast(new Touch(sent, loop.nanoTime()));
            dropUseless();
        }
    }

    /**
     * Drops touches older than the timeout, which prove nothing any more. Younger ones stay: a commit in flight may
     * need them, however many answers have arrived since.
     */
    private void dropUseless() {
        Touch newest = touches.getLast();
        while (newest.sent().nanos() - touches.getFirst().sent().nanos() > timing.timeout()) {
            touches.removeFirst();
        }
    }

    /** The number of touches that wait for a commit. */
    int touches() {
        return touches.size();
    }

    /** A quorum has committed. Returns true if that gave a better proof. */
    boolean committed(SendStamp sent) {
        if (sent.connection() != connection) {
            return false;
        }
        boolean better = false;
        if (late != null && sent.nanos() - late.ackNanos() >= pause()) {
            better = prove(late.sent());
            late = null;
        }
        if (late != null) {
            return better;
        }
        SendStamp best = takeReady(sent);
        if (best != null && proven()) {
            better |= prove(best);
        } else if (best != null) {
            late = new Touch(best, loop.nanoTime());
        }
        return better;
    }

    /** Returns the newest touch that had reached the leader before this commit. Removes it and the older ones. */
    private @Nullable SendStamp takeReady(SendStamp commit) {
        SendStamp best = null;
        for (Iterator<Touch> oldestFirst = touches.iterator(); oldestFirst.hasNext(); ) {
            Touch touch = oldestFirst.next();
            if (commit.nanos() - touch.ackNanos() < timing.tick()) {
                break;
            }
            oldestFirst.remove();
            best = touch.sent();
        }
        return best;
    }

    /** How long a leader may take to end an expired session. */
    private long pause() {
        return timing.tick() / 2;
    }

    private boolean proven() {
        return proof.carefulRemainingNanos(loop.nanoTime(), loop.wallMillis()) > 0;
    }

    /** The time from which a commit would give a better proof; {@code none} if no touch waits for one. */
    long usefulFrom(long none) {
        if (late != null) {
            return late.ackNanos() + pause();
        }
        Touch oldest = touches.peekFirst();
        return oldest == null ? none : oldest.ackNanos() + timing.tick();
    }

    private boolean prove(SendStamp sent) {
        Proof next = new Proof(
                sent.nanos(), sent.wallMillis(), sent.nanos() + timing.timeout() - timing.margin(), timing.margin());
        if (!next.betterThan(proof)) {
            return false;
        }
        proof = next;
        return true;
    }
}
