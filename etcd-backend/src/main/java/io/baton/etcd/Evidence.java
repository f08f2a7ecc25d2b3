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
 * Turns answered keepalives into proofs that the session's lease is alive, or both of them, while it has two.
 *
 * <p>A leader that has been replaced, and does not know it yet, renews leases as before: its answer alone proves nothing.
 * A renewal counts once a linearizable read (or a commit), sent on the same connection after the renewal's answer, has
 * been answered, and the answer before the renewal, the renewal's and this one all come from one member in one raft
 * term. What a member tells is the term of what it applied last, which only grows: so it had applied something of that
 * term when it renewed the lease, or had it renewed by the leader of that term; and the read had a quorum in no later
 * term, or the member would have applied something of that one first. So nobody had been elected in that leader's place
 * before. Whoever is elected later gives each lease its full time anew.
 *
 * <p>One exception: a member that is brought up to date by a snapshot goes on telling the old term until it applies
 * something more. That takes 5,000 entries of the log, which it lacked; so a renewal does not count if the store's
 * revision has risen by half as many until it was confirmed.
 *
 * <p>In the same way it is known that a lease has ended: in one term its leader has renewed it, and knows it no more. So its end was
 * decided, and nothing can be written with it any more. A leader that has never renewed it may not have heard of it yet.
 *
 * <p>Deadline = send of the renewal + time to live - margin.
 */
public final class Evidence {

    /** So many revisions at once may have come as a snapshot. */
    static final long LEAP = 2_500;

    /** A member in a term. */
    private record Reign(long connection, long member, long term) {}

    /** A renewal that was answered, though it may be with that there is no such lease. */
    private record Renewal(SendStamp sent, long ackNanos, long revision, Reign reign) {

        /** Both, as one: sent with the first, answered with the last. */
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
    /** The last renewal of each lease, since all of them were renewed. */
    private final Map<Long, Renewal> some = new HashMap<>();

    /** Leases that were not there any more when they were to be renewed. */
    private final Map<Long, Renewal> missing = new HashMap<>();
    /** In which term each lease was renewed last. */
    private final Map<Long, Long> renewedIn = new HashMap<>();

    private final List<Long> ended = new ArrayList<>();
    private List<Long> leases = List.of();
    private Timing timing;
    private long connection;
    private @Nullable Reign last;
    // When another lease was asked for, until that is answered. It lives from then on, and has to live soon.
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

    /** The connection has come or gone: what was answered on the old one proves nothing about the new one. */
    void connectionChanged() {
        connection++;
        forget();
        last = null;
    }

    /** What a proof has to be of from now on; of none, there is no proof. */
    void leases(List<Long> all) {
        leases = List.copyOf(all);
        renewedIn.keySet().retainAll(leases);
        forget();
    }

    /** Another lease is about to be asked for: until the answer, what is proven counts from now at the latest. */
    void asking() {
        asked = stamp();
    }

    /** It was granted, or refused. */
    void answered() {
        asked = null;
    }

    private void forget() {
        renewals.clear();
        some.clear();
        missing.clear();
    }

    /** The server has granted another time to live than was asked for. */
    void timing(Timing granted) {
        timing = granted;
    }

    /** Granting a lease is a commit of a quorum, so it counts at once. */
    boolean granted(SendStamp sent) {
        return prove(sent);
    }

    /** Who would have to answer a renewal sent now for it to count; null if nobody could. */
    @Nullable
    Object before() {
        return last;
    }

    /** A renewal sent after {@code before} was answered: the lease lives, by this member's account. */
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

    /** A renewal sent after {@code before} was answered: there is no such lease, by this member's account. */
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

    /** Leases whose end has become known for certain since this was asked last. */
    List<Long> takeEnded() {
        List<Long> now = List.copyOf(ended);
        ended.clear();
        return now;
    }

    /** A linearizable read, or a commit, was answered; true if that gave a better proof. */
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

    /** Whether somebody else may lead by now than did when this was answered. */
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
