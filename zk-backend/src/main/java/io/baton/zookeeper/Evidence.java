package io.baton.zookeeper;

import io.baton.spi.Loop;
import io.baton.spi.Proof;
import io.baton.spi.support.SendStamp;
import java.util.ArrayDeque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * Turns answered requests into proofs that the session is alive.
 *
 * <p>That a server answers proves nothing: it may have lost its leader. A request ("touch") counts once a quorum commit
 * that was sent on the same connection, at least a tick after the touch's acknowledgement, has been acknowledged: by
 * then the server has passed the touch on to the leader, and the commit shows that this leader had a quorum. Deadline =
 * send of the touch + smallest timeout negotiated - margin. Assumption: the server answers at least one of its leader's
 * pings, which come every half tick, in that tick.
 *
 * <p>A session that comes back on another connection needs no tick: whichever server it comes back to has the leader
 * prolong it before the client hears of it. That was after the break, and so after the send of every request answered
 * before the break. The newest of these counts once a quorum commit on the new connection has been acknowledged.
 *
 * <p>All that holds while the old proof does. Once that has run out, the leader may have found the session's time to be up:
 * it still prolongs such a session, and still commits for it, but ends it nonetheless. So it takes one more commit, sent half
 * a tick after the first was acknowledged. Assumption: the leader's thread takes less than that from finding a session's time
 * to be up to ending it.
 */
final class Evidence {

    /** A request that was answered. */
    private record Touch(SendStamp sent, long ackNanos) {}

    private final Loop loop;
    private final ArrayDeque<Touch> touches = new ArrayDeque<>();
    private Timing timing;
    private long connection;
    // The newest request that was answered, and what it was when the connection broke.
    private @Nullable SendStamp newest;
    private @Nullable SendStamp beforeTheBreak;
    // One that a commit has shown to have reached the leader, perhaps too late; and when that was acknowledged.
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

    /** The connection has come or gone: what was answered on the old one proves nothing about the new one. */
    void connectionChanged() {
        connection++;
        touches.clear();
        late = null;
        beforeTheBreak = null;
    }

    /** The connection has broken, after all that was answered. */
    void disconnected() {
        connectionChanged();
        beforeTheBreak = newest;
    }

    /** In contact: for the first time, or the same session is back on another connection, and was told of the break. */
    void reconnected() {
        SendStamp before = beforeTheBreak;
        connectionChanged();
        if (before != null) {
            touches.addLast(new Touch(
                    new SendStamp(before.nanos(), before.wallMillis(), connection), loop.nanoTime() - timing.tick()));
        }
    }

    /** The server has granted less than before: what is proven reaches less far, too. */
    void timing(Timing smallest) {
        timing = smallest;
        Proof old = proof;
        long deadline = old.sentNanos() + smallest.timeout() - smallest.margin();
        if (deadline - old.deadlineNanos() < 0) {
            proof = new Proof(old.sentNanos(), old.sentWallMillis(), deadline, smallest.margin());
        }
    }

    /** Creating a session goes through the leader and a quorum, so it counts at once, from before the first attempt. */
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
     * Drops what is older than the timeout, and so proves nothing any more. Nothing younger: a commit that is under way
     * may rest on it, however much has been answered since that was sent.
     */
    private void dropUseless() {
        Touch newest = touches.getLast();
        while (newest.sent().nanos() - touches.getFirst().sent().nanos() > timing.timeout()) {
            touches.removeFirst();
        }
    }

    /** How many touches wait for a commit. */
    int touches() {
        return touches.size();
    }

    /** A quorum has committed; true if that gave a better proof. */
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

    /** The newest touch that had reached the leader when this commit did; it and those before it need no other commit. */
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

    /** How long a leader may take to end a session whose time is up. */
    private long pause() {
        return timing.tick() / 2;
    }

    private boolean proven() {
        return proof.carefulRemainingNanos(loop.nanoTime(), loop.wallMillis()) > 0;
    }

    /** From when on a commit would give a better proof; {@code none} if no touch is waiting for one. */
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
