package io.baton.etcd;

import io.baton.etcd.wire.EtcdWire.Code;
import io.baton.etcd.wire.EtcdWire.Fault;
import io.baton.etcd.wire.EtcdWire.Part;
import io.baton.etcd.wire.EtcdWire.Range;
import io.baton.etcd.wire.EtcdWire.Request;
import io.baton.etcd.wire.EtcdWire.Txn;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The requests that prove a session alive: renewals of its leases and, if a check is due, reads behind them. These read
 * the session's own key and the entries of its holds and of the next in line.
 */
final class HeartbeatRequests implements Heartbeat.Heart {

    /** The number of reads of refused places in one beat. */
    private static final int AT_ONCE = 64;

    /**
     * Places that are read together.
     *
     * @param refused whether the server has refused to read them, perhaps together with others
     */
    private record Batch(List<LinePlace> places, boolean refused) {

        Batch part(int from, int to) {
            return new Batch(places.subList(from, to), true);
        }

        Batch only(Set<LinePlace> standing) {
            return new Batch(places.stream().filter(standing::contains).toList(), refused);
        }
    }

    private final EtcdSession session;
    private final Set<LinePlace> standing = new LinkedHashSet<>();
    // Batches to read apart from the others with the next beats, in this order. They survive a reconnect: otherwise no
    // place would ever be given up while connections break repeatedly.
    private final List<Batch> unread = new ArrayList<>();
    private long lookedOn;
    // Places that the server does not show even alone, reported as trouble, and since when. They survive a reconnect,
    // however long the break: an entry that is unreadable before and after it is not assumed to exist.
    private final Map<LinePlace, Long> doubtful = new HashMap<>();
    // The number of entries in one read with the session's own key. A server accepts 128 operations, or fewer.
    private int batch = 100;

    HeartbeatRequests(EtcdSession session) {
        this.session = session;
    }

    /** Adds this place's entry to the checks of each beat. */
    void check(LinePlace place) {
        standing.add(place);
    }

    /** Removes this place's entry from the checks. */
    void uncheck(LinePlace place) {
        standing.remove(place);
        seen(place);
    }

    /** A read, of a beat or another one, has shown whether the entry stands. */
    void seen(LinePlace place) {
        if (doubtful.remove(place) != null) {
            session.resolveTrouble(notSeen(place));
        }
    }

    private static String notSeen(LinePlace place) {
        return "Cannot see whether " + place.key() + " still stands";
    }

    @Override
    public void beat(boolean check) {
        session.leaseMigration().beat(session.heartbeat().repeatsRefused());
        List<Long> leases = session.leaseMigration().leases();
        int[] open = {leases.size()};
        boolean[] renewed = {true};
        for (long one : leases) {
            session.urgentWire().keepAlive(one, (fault, lease) -> {
                boolean dead = fault.code() == Code.NO_LEASE
                        || (lease != null && lease.ttl().isZero());
                // The check finds entries missing that were left on an ended lease.
                boolean leftBehind = dead && session.leaseMigration().isLeftBehind(one);
                if (dead) {
                    // This member may lag behind: the session's own key decides.
                    session.verify();
                    session.leaseMigration().ended(one);
                }
                if (lease == null && !dead) {
                    session.proofRefused("cannot renew the lease", fault);
                }
                renewed[0] &= leftBehind || (lease != null && !dead);
                if (--open[0] == 0) {
                    renewed(check && renewed[0]);
                }
            });
        }
    }

    private void renewed(boolean check) {
        if (check) {
            readEntries();
        } else {
            session.heartbeat().beatDone();
        }
    }

    private void readEntries() {
        var look = new Look();
        long connection = session.stamp().connection();
        // All of them on a new connection, as its member may have newer roles and entries.
        int atOnce = connection == lookedOn ? Math.min(AT_ONCE, unread.size()) : unread.size();
        lookedOn = connection;
        List<Batch> before = List.copyOf(unread.subList(0, atOnce));
        var apart = new HashSet<LinePlace>();
        unread.forEach(one -> apart.addAll(one.places()));
        unread.subList(0, before.size()).clear();
        var together = standing.stream().filter(place -> !apart.contains(place)).toList();
        for (int from = 0; from == 0 || from < together.size(); from += batch) {
            look.at(new Batch(together.subList(from, Math.min(together.size(), from + batch)), false));
        }
        before.stream()
                .map(one -> one.only(standing))
                .filter(one -> !one.places().isEmpty())
                .forEach(look::at);
        look.answered();
    }

    /** The reads of one beat. */
    private final class Look {

        private int open = 1;
        private boolean refused;
        private boolean alive;

        private void at(Batch some) {
            open++;
            var reads = new ArrayList<Request>();
            reads.add(Range.presence(session.ownKey()));
            some.places().forEach(place -> reads.add(Range.presence(place.key())));
            session.urgentWire().txn(new Txn(List.of(), reads, List.of()), (fault, result) -> {
                if (result != null) {
                    alive = true;
                    if (session.ownKeyRead(result.parts().get(0))) {
                        seen(
                                some.places(),
                                result.parts().subList(1, result.parts().size()));
                    }
                } else if (fault.code() != Code.LOST && fault.code() != Code.OVERLOADED) {
                    refused |= !some.places().isEmpty();
                    HeartbeatRequests.this.refused(some, fault);
                } else if (some.refused()) {
                    unread.add(some);
                }
                if (result == null && some.places().isEmpty()) {
                    session.proofRefused("cannot read the session's own key " + session.ownKey(), fault);
                }
                answered();
            });
        }

        private void answered() {
            if (--open > 0) {
                return;
            }
            if (refused && !alive) {
                // The proof must not depend on the other reads of this beat.
                refused = false;
                at(new Batch(List.of(), false));
            } else {
                session.heartbeat().beatDone();
            }
        }
    }

    /**
     * Splits a refused batch into halves for the next beat, so that one key does not block the others. A key refused
     * alone may be readable again soon, as roles change. After a time to live its place is given up.
     */
    private void refused(Batch some, Fault fault) {
        int size = some.places().size();
        int half = size / 2;
        if (half > 0) {
            if (fault.code() == Code.TOO_LARGE) {
                batch = Math.min(batch, size - half);
            }
            unread.add(some.part(0, half));
            unread.add(some.part(half, size));
        } else if (size == 1) {
            refusedAlone(some, fault);
        }
    }

    private void refusedAlone(Batch one, Fault fault) {
        LinePlace place = one.places().get(0);
        if (!standing.contains(place)) {
            return; // left while the answer was in flight
        }
        long now = session.loop().nanoTime();
        Long before = doubtful.putIfAbsent(place, now);
        long since = before == null ? now : before;
        if (before == null) {
            session.reportTrouble(
                    notSeen(place),
                    "etcd says " + fault.message() + "; it is given up if that goes on for "
                            + session.timeout().toSeconds() + " s");
        }
        if (now - since < session.timeout().toNanos()) {
            unread.add(one.part(0, 1));
        } else {
            place.unreadable(fault);
        }
    }

    private void seen(List<LinePlace> places, List<Part> entries) {
        for (int i = 0; i < places.size(); i++) {
            LinePlace place = places.get(i);
            seen(place);
            boolean stands = entries.get(i)
                    .first()
                    .map(entry -> entry.created() == place.token())
                    .orElse(false);
            if (!stands) {
                place.missing();
            }
        }
    }
}
