package io.baton.etcd;

import io.baton.etcd.EtcdWire.Code;
import io.baton.etcd.EtcdWire.Part;
import io.baton.etcd.EtcdWire.Range;
import io.baton.etcd.EtcdWire.Request;
import io.baton.etcd.EtcdWire.Txn;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What a session says to show that it lives: it renews its lease and, if that matters, reads what it holds or waits with. */
final class Beats implements Heartbeat.Heart {

    /** So many entries are looked at in one read, with the session's own key: a server takes 128 operations. */
    private static final int BATCH = 100;

    private final EtcdSession session;
    private final Set<LinePlace> standing = new LinkedHashSet<>();

    Beats(EtcdSession session) {
        this.session = session;
    }

    /** This place's entry is to be looked at with each beat. */
    void check(LinePlace place) {
        standing.add(place);
    }

    /** No longer. */
    void uncheck(LinePlace place) {
        standing.remove(place);
    }

    @Override
    public void beat(boolean check) {
        session.relocation().goOn();
        List<Long> leases = session.relocation().leases();
        int[] open = {leases.size()};
        boolean[] renewed = {true};
        for (long one : leases) {
            session.wire().keepAlive(one, (fault, lease) -> {
                boolean dead = fault.code() == Code.NO_LEASE
                        || (lease != null && lease.ttl().isZero());
                if (dead) {
                    // By this member's account, which may lag behind: the session's own key tells.
                    session.verify();
                }
                renewed[0] &= lease != null && !dead;
                if (--open[0] == 0) {
                    renewed(check && renewed[0]);
                }
            });
        }
    }

    private void renewed(boolean check) {
        if (check) {
            look();
        } else {
            session.heartbeat().beaten();
        }
    }

    private void look() {
        List<LinePlace> all = List.copyOf(standing);
        int[] open = {Math.max(1, (all.size() + BATCH - 1) / BATCH)};
        for (int from = 0; from == 0 || from < all.size(); from += BATCH) {
            List<LinePlace> batch = all.subList(from, Math.min(all.size(), from + BATCH));
            var reads = new ArrayList<Request>();
            reads.add(Range.presence(session.ownKey()));
            batch.forEach(place -> reads.add(Range.presence(place.key())));
            session.wire().txn(new Txn(List.of(), reads, List.of()), (fault, result) -> {
                if (result != null && session.ownRead(result.parts().get(0))) {
                    seen(batch, result.parts().subList(1, result.parts().size()));
                }
                if (--open[0] == 0) {
                    session.heartbeat().beaten();
                }
            });
        }
    }

    private static void seen(List<LinePlace> places, List<Part> entries) {
        for (int i = 0; i < places.size(); i++) {
            LinePlace place = places.get(i);
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
