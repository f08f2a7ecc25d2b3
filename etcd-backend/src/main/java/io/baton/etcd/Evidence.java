package io.baton.etcd;

import io.baton.etcd.wire.EtcdWire;
import io.baton.spi.Loop;
import io.baton.spi.Proof;
import io.baton.spi.support.SendStamp;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Derives proofs that the session's lease is alive from answered keepalives. During a move between two leases, a proof
 * requires both.
 *
 * <p>A replaced leader that has not noticed it renews leases as before, so its answer alone proves nothing. A renewal
 * counts once a linearizable read (or a commit), sent on the same connection after the renewal's answer, has been
 * answered. The answers before the renewal, to the renewal and to the read must also come from one member in one raft
 * term.
 *
 * <p>A member reports the term of what it applied last, which only grows. So it had applied an entry of that term when
 * it renewed the lease, or had the leader of that term renew it. The read had a quorum in no later term, or the member
 * would have applied an entry of that term first. So no other leader had been elected before. A leader elected later
 * gives each lease its full time again.
 *
 * <p>One exception: a member that catches up by a snapshot still reports the old term until it applies another entry.
 * That takes a lag of 5,000 log entries. So a renewal does not count if the store's revision has risen by half as many
 * before its confirmation.
 *
 * <p>The end of a lease is proven in the same way: the leader of one term has renewed it, and no longer has it. So its
 * end was committed, and no write can use it any more. A leader that has never renewed the lease may not have applied
 * its grant yet.
 *
 * <p>Deadline = send of the renewal + time to live - margin.
 */
public final class Evidence {

    /** A rise by this many revisions may have come as a snapshot. */
    static final long LEAP = 2_500;

    /** A member in a term, on one connection. */
    private record Reign(long connection, long member, long term) {}

    /** An answered renewal. The answer may be that the lease does not exist. */
    private record Renewal(SendStamp sent, long ackNanos, long revision, Reign reign) {

        /** Combines both: sent with the first, answered with the last. */
        Renewal and(Renewal other) {
            return new Renewal(
                    sent.nanos() - other.sent.nanos() <= 0 ? sent : other.sent,
                    ackNanos - other.ackNanos >= 0 ? ackNanos : other.ackNanos,
                    Math.min(revision, other.revision),
                    reign);
        }
    }

    private final Loop loop;
    private final ArrayDeque<Renewal> renewals = new ArrayDeque<>();
    /** The last renewal of each lease since the last time that all were renewed. */
    private final Map<Long, Renewal> some = new HashMap<>();

    /** Leases that a renewal has found missing. */
    private final Map<Long, Renewal> missing = new HashMap<>();
    /** The term in which each lease was last renewed. */
    private final Map<Long, Long> renewedIn = new HashMap<>();

    private final List<Long> ended = new ArrayList<>();
    private List<Long> leases = List.of();
    private Timing timing;
    private long connection;
    private @Nullable Reign last;
    // The time of an unanswered request for another lease. A granted lease runs from its grant, and proofs will soon
    // require it.
    private @Nullable SendStamp asked;
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
        forget();
        last = null;
    }

    /** Sets the leases that a proof requires. Without any, there is no proof. */
    void leases(List<Long> all) {
        leases = List.copyOf(all);
        renewedIn.keySet().retainAll(leases);
        forget();
    }

    /** Another lease is about to be requested. Until the answer, proofs count from now at the latest. */
    void asking() {
        asked = stamp();
    }

    /** The request for another lease was answered. */
    void answered() {
        asked = null;
    }

    private void forget() {
        renewals.clear();
        some.clear();
        missing.clear();
    }

    /** The server has granted another time to live than requested. */
    void timing(Timing granted) {
        timing = granted;
    }

    /** A grant is a commit of a quorum, so it counts at once. */
    boolean granted(SendStamp sent) {
        return prove(sent);
    }

    /** Returns the member and term that must answer a renewal sent now for it to count; null if there is none. */
    @Nullable
    Object before() {
        return last;
    }

    /** A renewal sent after {@code before} was answered: this member reports the lease as alive. */
    void renewed(long lease, SendStamp sent, @Nullable Object before, EtcdWire.Header header) {
        if (sent.connection() != connection) {
            return;
        }
        Reign reign = reign(header);
        if (reign.equals(before)) {
            some.values().removeIf(other -> !other.reign().equals(reign));
            some.put(lease, new Renewal(sent, loop.nanoTime(), header.revision(), reign));
            renewedIn.put(lease, header.term());
            if (!leases.isEmpty() && some.keySet().containsAll(leases)) {
                renewals.addLast(
                        leases.stream().map(some::get).reduce(Renewal::and).orElseThrow());
                some.clear();
            }
            while (renewals.size() > 8) {
                renewals.removeFirst();
            }
        }
        last = reign;
    }

    /** A renewal sent after {@code before} was answered: this member reports no such lease. */
    void missing(long lease, SendStamp sent, @Nullable Object before, EtcdWire.Header header) {
        if (sent.connection() != connection) {
            return;
        }
        Reign reign = reign(header);
        Long term = renewedIn.get(lease);
        if (reign.equals(before) && term != null && term == header.term()) {
            missing.put(lease, new Renewal(sent, loop.nanoTime(), header.revision(), reign));
        }
        last = reign;
    }

    /** Returns the leases whose end has been proven since the last call. */
    List<Long> takeEnded() {
        List<Long> now = List.copyOf(ended);
        ended.clear();
        return now;
    }

    /** A linearizable read or a commit was answered. Returns true if that gave a better proof. */
    boolean confirmed(SendStamp sent, EtcdWire.Header header) {
        if (sent.connection() != connection) {
            return false;
        }
        Reign reign = reign(header);
        boolean better = false;
        for (Iterator<Renewal> oldestFirst = renewals.iterator(); oldestFirst.hasNext(); ) {
            Renewal renewal = oldestFirst.next();
            if (isVoid(renewal, reign, header)) {
                oldestFirst.remove();
            } else if (sent.nanos() - renewal.ackNanos() >= 0) {
                better |= prove(renewal.sent());
                oldestFirst.remove();
            }
        }
        for (Iterator<Map.Entry<Long, Renewal>> each = missing.entrySet().iterator(); each.hasNext(); ) {
            Map.Entry<Long, Renewal> one = each.next();
            if (isVoid(one.getValue(), reign, header)) {
                each.remove();
            } else if (sent.nanos() - one.getValue().ackNanos() >= 0) {
                ended.add(one.getKey());
                each.remove();
            }
        }
        last = reign;
        return better;
    }

    /** Whether another leader may have been elected since this answer. */
    private static boolean isVoid(Renewal renewal, Reign now, EtcdWire.Header header) {
        return !renewal.reign().equals(now) || header.revision() - renewal.revision() >= LEAP;
    }

    private Reign reign(EtcdWire.Header header) {
        return new Reign(connection, header.member(), header.term());
    }

    private boolean prove(SendStamp renewed) {
        SendStamp sent = asked != null && asked.nanos() - renewed.nanos() < 0 ? asked : renewed;
        Proof next = new Proof(
                sent.nanos(), sent.wallMillis(), sent.nanos() + timing.ttl() - timing.margin(), timing.margin());
        if (!next.betterThan(proof)) {
            return false;
        }
        proof = next;
        return true;
    }
}
